/**
 * Ends this process in an orderly way when those that started it are gone: after `kill -9` of npm
 * or of the start script, the server must not stay behind and hold the port. Loaded by `--import`.
 */
import { readFileSync } from 'node:fs';

const CHECK_EVERY_MS = 1000;

/**
 * npm runs scripts through a shell, which outlives it: then the parent's parent counts, too, which
 * Linux tells. Started by hand, it is somebody's shell and may go.
 */
function ancestors() {
  if (process.env.npm_lifecycle_event !== 'start') return String(process.ppid);
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, grandparent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${process.ppid} ${grandparent}`;
  } catch {
    return String(process.ppid);
  }
}

const before = ancestors();

setInterval(() => {
  if (ancestors() !== before) process.kill(process.pid, 'SIGTERM');
}, CHECK_EVERY_MS).unref();
