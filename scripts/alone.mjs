/** Work that one process at a time does in this checkout: two that install packages remove each other's. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './process.mjs';

const NAME_LENGTH = 16;

/** The process that works listens at this socket, which closes when that process ends, however it ends. */
const socket = path.join(
  tmpdir(),
  `ams-${createHash('sha256').update(`${process.getuid?.()} ${root}`).digest('hex').slice(0, NAME_LENGTH)}`,
);

/** @returns {Promise<import('node:net').Server>} */
const listen = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(socket, () => resolve(server));
  });

/** Resolves when the process that works here is done. @returns {Promise<boolean>} whether there was one */
const otherIsDone = () =>
  new Promise((resolve) => {
    let isThere = false;
    createConnection(socket)
      .on('connect', () => {
        isThere = true;
        console.log('Waiting for another start that prepares this folder …');
      })
      .on('error', () => undefined)
      .on('close', () => resolve(isThere));
  });

/** The socket as ours, once no other process has it; undefined where there can be none, as on a full disk. */
async function occupy() {
  for (;;) {
    try {
      return await listen();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return undefined;
      // A killed process leaves the file behind.
      if (!(await otherIsDone())) rmSync(socket, { force: true });
    }
  }
}

/**
 * Does some work after all others have done theirs.
 *
 * @param {() => Promise<void>} work
 */
export async function alone(work) {
  const server = await occupy();
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set();
  server?.on('connection', (other) => waiting.add(other.on('error', () => undefined))).unref();
  try {
    await work();
  } finally {
    server?.close();
    for (const other of waiting) other.destroy();
  }
}
