export type LogLevel = 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, text: string) => void;

export interface LogLine {
  at: string;
  level: LogLevel;
  text: string;
}

/** Storage of log lines across reloads. Both functions may throw if the browser stores nothing. */
export interface KeptLines {
  read(): string | null;
  write(text: string): void;
}

const LINES = 500;
const TEXT_MAX = 300;
/** Lines are kept together, not one by one; an error at once, as it may be the last. */
const KEEP_AFTER_MS = 2000;

/* oxlint-disable no-console -- this is where the player's log meets the console */

const isLine = (value: unknown): value is LogLine =>
  typeof value === 'object' && value !== null && 'at' in value && 'level' in value && 'text' in value;

function readLines(kept: KeptLines): LogLine[] {
  try {
    const lines: unknown = JSON.parse(kept.read() ?? '[]');
    return Array.isArray(lines) ? lines.filter((line) => isLine(line)).slice(-LINES) : [];
  } catch {
    return [];
  }
}

/** The last 500 lines, over reloads too; warnings and errors go to the console as well. */
export function makeLog(now: () => number, kept: KeptLines) {
  const lines = readLines(kept);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      kept.write(JSON.stringify(lines));
    } catch {
      // The disk is full or refused: the lines live as long as the page.
    }
  };

  return {
    lines: (): readonly LogLine[] => lines,
    keep,
    log(level: LogLevel, text: string): void {
      lines.push({ at: new Date(now()).toISOString(), level, text: text.slice(0, TEXT_MAX) });
      if (lines.length > LINES) lines.shift();
      if (level === 'info') console.info(text);
      else console.warn(text);
      if (level === 'error') keep();
      else timer ??= setTimeout(keep, KEEP_AFTER_MS);
    },
  };
}

/** Lines under this name in the page's own small storage. */
export const keptLines = (name: string): KeptLines => ({
  read: () => localStorage.getItem(name),
  write: (text) => localStorage.setItem(name, text),
});
