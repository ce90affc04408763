/**
 * Ends this process in an orderly way when the one that started it is gone: after `kill -9` of npm
 * or of the start script, the server must not stay behind and hold the port. Loaded by `--import`.
 *
 * The scripts in package.json begin with `exec`, so npm itself is the parent and not a shell, which
 * would also keep its signals to itself.
 */
const CHECK_EVERY_MS = 1000;

const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, CHECK_EVERY_MS).unref();
