import { expect, test } from 'vitest';
import { hastyClock } from '../../test/memory.ts';
import { type Enrolling, enrol } from './enrol.ts';
import type { EnrolReply } from './ports.ts';

const request = {
  mac: '02:00:00:00:00:01',
  screens: [{ name: 'main' as const }],
  timeZone: 'UTC',
  player: { version: '1', kind: 'test' },
};
const offer: EnrolReply = { kind: 'pairing', code: '123456', qr: 'https://x/scancode', expiresIn: 600 };
const away: EnrolReply = { kind: 'failed', code: 0, message: 'no network', retryAfterMs: undefined };

/** Enrols against these replies, one after the other, and returns what was shown. */
async function shownFor(...replies: EnrolReply[]): Promise<Enrolling[]> {
  const shown: Enrolling[] = [];
  const queue = [...replies, { kind: 'paired' as const }];
  const api = { enrol: () => Promise.resolve(queue.shift() ?? { kind: 'paired' as const }) };
  const ports = { api, clock: hastyClock(), log: () => undefined };
  expect(await enrol(request, ports, (state) => shown.push(state), new AbortController().signal)).toBe(true);
  return shown;
}

test('the code stays on screen while the network is away for a moment', async () => {
  const [first, second] = await shownFor(offer, away);
  expect(first).toMatchObject({ pairing: { code: '123456' }, reachable: true });
  expect(second).toMatchObject({ pairing: { code: '123456' }, reachable: false });
});

test('a code that has run out goes', async () => {
  const [, second] = await shownFor({ ...offer, expiresIn: 0 }, away);
  expect(second?.pairing).toBeUndefined();
});

test("a refusal shows the server's message", async () => {
  const refusal: EnrolReply = {
    kind: 'failed',
    code: 409,
    message: 'belongs to another user',
    retryAfterMs: undefined,
  };
  expect(await shownFor(refusal)).toMatchObject([{ reachable: true, problem: 'belongs to another user' }]);
});

test('a busy server is no refusal', async () => {
  expect(await shownFor({ kind: 'failed', code: 429, message: 'slow down', retryAfterMs: 5 })).toMatchObject([
    { problem: undefined },
  ]);
});
