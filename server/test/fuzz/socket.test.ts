import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ServerMessage, StatusMessage } from '@ams/contract';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { expect, test, vi } from 'vitest';
import { pairedDevice, type TestDevice } from '../device.ts';
import { startTestServer } from '../server.ts';
import { nearlyTakenBy, takenBy } from './arbitrary.ts';
import { nastyBody } from './hostile.ts';

/** The devices' channel with messages that are right, almost right and hostile. */
const DEVICES = 25;
const MESSAGES = Math.ceil(Number(process.env['FUZZ_REQUESTS'] ?? 1500) / 500) * DEVICES;
/** Standard: protocol error, no UTF-8, too big. Ours: replaced, bad message. */
const CLOSINGS = [1002, 1007, 1009, 4000, 4002];

const complaints: string[] = [];
const log = new PassThrough().on('data', (line: Buffer) => complaints.push(line.toString()));
const server = await startTestServer({ LOG_LEVEL: 'warn' }, {}, log);

const words = (name: string): string[] => (name === 'type' ? ['status'] : []);
const messages = fc.oneof(
  takenBy(StatusMessage, words).map((message) => JSON.stringify(message)),
  nearlyTakenBy(StatusMessage, words).map((message) => JSON.stringify(message) ?? ''),
  nastyBody,
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant('x'.repeat(20_000)),
);

/** Sends one message on a new channel and waits until it was stored or the connection closed; returns how it closed. */
async function tell(device: TestDevice & { device: { id: string } }, message: string | Buffer) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/player/socket`, ['ams', device.secret]);
  const heard: string[] = [];
  let closing: number | undefined;
  socket
    .on('message', (data) => heard.push(data.toString()))
    .on('close', (code) => (closing = code))
    .on('error', () => {});
  await once(socket, 'open');
  await vi.waitFor(() => expect(heard).not.toEqual([]));
  const takenAt = () =>
    server.deps.db.selectFrom('devices').select('playing_at').where('id', '=', device.device.id).executeTakeFirst();
  const before = (await takenAt())?.playing_at?.getTime();
  socket.send(message);
  await vi.waitFor(
    async () => {
      const wasTaken = (await takenAt())?.playing_at?.getTime() !== before;
      if (!wasTaken && closing === undefined && complaints.length === 0)
        throw new Error(`not taken: ${String(message)}`);
    },
    { interval: 100 },
  );
  socket.terminate();
  return { closing, heard };
}

test(
  `${MESSAGES} messages: each is taken or closes its channel, and nothing else`,
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const admin = await server.login();
    const devices = await Promise.all(Array.from({ length: DEVICES }, () => pairedDevice(server, admin)));
    const all = fc.sample(messages, { seed, numRuns: MESSAGES });
    await Promise.all(
      devices.map(async (device, index) => {
        for (const message of all.filter((_, at) => at % DEVICES === index)) {
          const { closing, heard } = await tell(device, message);
          if (closing !== undefined) expect(CLOSINGS).toContain(closing);
          for (const text of heard) ServerMessage.parse(JSON.parse(text));
        }
      }),
    );
    expect(complaints, `seed ${seed}`).toEqual([]);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  },
  60_000 + MESSAGES * 1500,
);
