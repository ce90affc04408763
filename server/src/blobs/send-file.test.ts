import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendFile } from './send-file.ts';

const BYTES = 64 * 2 ** 20;
/** Longer than a busy computer keeps a reader waiting. */
const STALLED_MS = 3000;

let folder: string;
let bytes: Buffer;
let ended = 0;

/** Sends the file to whoever asks. */
const server = createServer((_request, response) => {
  const send = async (): Promise<void> => {
    await using file = await open(path.join(folder, 'film'));
    response.setHeader('content-length', BYTES);
    await sendFile(file, { start: 0, end: BYTES - 1 }, response, STALLED_MS);
    ended += 1;
  };
  void send();
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-send-'));
  bytes = randomBytes(BYTES);
  await writeFile(path.join(folder, 'film'), bytes);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Asks for the file and reads its beginning alone. */
async function stall(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'readable');
  socket.pause();
  return socket;
}

test('a whole file arrives over a reused connection', async () => {
  for (let time = 0; time < 2; time += 1) {
    const reply = await fetch(origin());
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  }
});

test('a client that stops reading is disconnected; a slow reader is not', async () => {
  const before = { memory: process.memoryUsage().arrayBuffers, ended };
  const slow = await fetch(origin());
  const stalled = await Promise.all(Array.from({ length: 20 }, stall));
  expect(process.memoryUsage().arrayBuffers - before.memory).toBeLessThan(24 * 2 ** 20);
  const taken: Uint8Array[] = [];
  for await (const chunk of slow.body ?? []) {
    if (taken.push(chunk) % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(Buffer.concat(taken).equals(bytes)).toBe(true);
  await expect.poll(() => ended - before.ended).toBe(21);
  for (const socket of stalled) socket.destroy();
});
