import { closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { lastLine } from './error.ts';

const LARGEST_LOG_BYTES = 10 * 2 ** 20;
const CHECK_EVERY_MS = 60_000;

export interface LogFile {
  fd: number;
  /** The last message since this start. */
  lastWords(): string;
  /** The last fatal message since this start, which hints and farewells follow; else the last of all. */
  complaint(): string;
  close(): void;
}

/**
 * The file that PostgreSQL writes its messages to. It outlives this process with PostgreSQL, so it
 * cannot be a pipe. At most two files of about `LARGEST_LOG_BYTES`: it is copied aside and
 * emptied, which is safe because it is opened to append.
 */
export function openLog(file: string): LogFile {
  bound(file);
  const fd = openSync(file, 'a', 0o600);
  let begin = statSync(file).size;
  const sinceStart = () => readFileSync(file).subarray(begin).toString();
  const timer = setInterval(() => {
    if (bound(file)) begin = 0;
  }, CHECK_EVERY_MS).unref();
  return {
    fd,
    lastWords: () => lastLine(sinceStart()),
    complaint: () =>
      sinceStart()
        .match(/(?:FATAL|PANIC):.*/g)
        ?.at(-1) ?? lastLine(sinceStart()),
    close: () => {
      clearInterval(timer);
      closeSync(fd);
    },
  };
}

/** Empties a file that has grown too large; true when it did. */
function bound(file: string): boolean {
  try {
    if (!existsSync(file) || statSync(file).size < LARGEST_LOG_BYTES) return false;
    keep(file);
    truncateSync(file);
    return true;
  } catch {
    // It is looked at again in a minute.
    return false;
  }
}

/** Copies a file aside. If that is impossible, as on a full disk, its messages are lost: the space is needed. */
function keep(file: string): void {
  try {
    copyFileSync(file, `${file}.1`);
  } catch {
    rmSync(`${file}.1`, { force: true, recursive: true });
  }
}
