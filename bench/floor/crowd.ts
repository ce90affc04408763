import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { WebSocket } from 'ws';
import { deviceSecret } from '../rows.ts';

/**
 * Devices in a process of their own that stay: `COUNT` of them from `FIRST` on, each connected to `ORIGIN`, and again
 * within a second or so after each loss, `AT_ONCE` under way at a time. Reports to its parent how many are connected
 * whenever that has changed.
 */
const { ORIGIN = '', FIRST = '1', COUNT = '1', AT_ONCE = '100' } = process.env;
const url = `${ORIGIN.replace('http', 'ws')}/api/player/socket`;
const REPORT_MS = 100;
const AGAIN_MS = 1000;

let connected = 0;
let reported = -1;
setInterval(() => {
  if (connected === reported) return;
  reported = connected;
  process.send?.({ connected });
}, REPORT_MS);

const turns = pLimit(Number(AT_ONCE));

/** Connects once, and resolves when it is connected or has failed. `lost` resolves when the connection ends. */
async function connect(n: number): Promise<{ lost: Promise<void> }> {
  const lost = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  const socket = new WebSocket(url, ['ams', deviceSecret(n)], { perMessageDeflate: false });
  let isOnline = false;
  socket.once('message', () => {
    isOnline = true;
    connected += 1;
    greeted.resolve();
  });
  // `close` follows.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    if (isOnline) connected -= 1;
    greeted.resolve();
    lost.resolve();
  });
  await greeted.promise;
  return { lost: lost.promise };
}

async function stay(n: number): Promise<never> {
  for (;;) {
    const { lost } = await turns(() => connect(n));
    await lost;
    await sleep(AGAIN_MS * (0.5 + Math.random()));
  }
}

console.log(ORIGIN);
await Promise.all(Array.from({ length: Number(COUNT) }, (_, index) => stay(Number(FIRST) + index)));
