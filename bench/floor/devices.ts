import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { deviceSecret } from '../rows.ts';

/**
 * Devices in a process of their own, which has file descriptors of its own. Connects `COUNT` of them from `FIRST` on,
 * `AT_ONCE` under way at a time, again and again until each is connected; reports to its parent when each connected
 * and when the last one received the first message after a `mark`. Times are by the clock of the computer.
 */
const { ORIGIN = '', FIRST = '1', COUNT = '1', AT_ONCE = '100' } = process.env;
const url = `${ORIGIN.replace('http', 'ws')}/api/player/socket`;
let heard = new Set<number>();
const now = (): number => performance.timeOrigin + performance.now();

function connect(n: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url, ['ams', deviceSecret(n)], { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => {
    // The first message is the greeting: from then on the device is online.
    resolve();
    if (!marked || heard.has(n) || !data.includes(wanted)) return;
    heard.add(n);
    if (heard.size === Number(COUNT)) process.send?.({ told: now() });
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('closed')));
  return promise;
}

let marked = false;
/** The beginning of the messages that count. */
let wanted = '';
process.on('message', ({ mark }: { mark: string }) => {
  wanted = mark && `{"type":"${mark}"`;
  heard = new Set();
  marked = true;
  process.send?.({ marked: true });
});

const waiting = Array.from({ length: Number(COUNT) }, (_, index) => Number(FIRST) + index);
async function work(): Promise<void> {
  for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
    const device = n;
    await connect(device).catch(async () => {
      await sleep(200);
      waiting.push(device);
    });
  }
}
console.log(ORIGIN);
await Promise.all(Array.from({ length: Number(AT_ONCE) }, work));
process.send?.({ online: now() });
