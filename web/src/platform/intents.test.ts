import type { Call, Envelope } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askedToConfirm, Intents } from './intents.ts';

const ok: Envelope<unknown> = { code: 200, message: 'ok', data: null };
const failure = (code: number): Envelope<unknown> => ({ code, error: 'X', message: 'x' });
const save: Call = { method: 'POST', url: '/api/ads', body: { name: 'a' } };
const other: Call = { method: 'POST', url: '/api/ads', body: { name: 'b' } };

/** Intents with a server that answers on request; `keys` are those of the requests that were sent. */
function setup() {
  const intents = new Intents();
  const keys: string[] = [];
  const answers: ((answer: Envelope<unknown>) => void)[] = [];
  const make = (call: Call) =>
    intents.once(call, (key) => {
      keys.push(key);
      return new Promise((resolve) => answers.push(resolve));
    });
  const answer = async (call: Call, given: Envelope<unknown>) => {
    const made = make(call);
    answers.at(-1)?.(given);
    return made;
  };
  return { make, answer, keys, answers };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('two taps at once are one request with one answer', async () => {
  const { make, keys, answers } = setup();
  const both = [make(save), make(save)];
  answers[0]?.(ok);
  expect(await Promise.all(both)).toEqual([ok, ok]);
  expect(keys).toHaveLength(1);
});

test('a second tap right after the answer is the same intent; later it is another one', async () => {
  const { make, answer, keys } = setup();
  await answer(save, ok);
  expect(await make(save)).toBe(ok);
  expect(keys).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500);
  await answer(save, ok);
  expect(new Set(keys).size).toBe(2);
});

test('what is done again after something else was done is another intent', async () => {
  const { answer, keys } = setup();
  await answer(save, ok);
  await answer(other, ok);
  await answer(save, ok);
  expect(new Set(keys).size).toBe(3);
});

test.each([0, 429, 500, 502, 503])('after %d the next try carries the same key', async (code) => {
  const { answer, keys } = setup();
  await answer(save, failure(code));
  await vi.advanceTimersByTimeAsync(60_000);
  await answer(other, ok);
  await answer(save, ok);
  expect(keys[2]).toBe(keys[0]);
});

test('what is done long after an answer was lost is another intent', async () => {
  const { answer, keys } = setup();
  await answer(save, failure(0));
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  await answer(save, failure(0));
  expect(keys[1]).toBe(keys[0]);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  await answer(save, ok);
  expect(keys[2]).not.toBe(keys[0]);
});

test('a setting whose answer was lost can be set again once it was set to something else', async () => {
  const { answer, keys } = setup();
  const off: Call = { method: 'PATCH', url: '/api/devices/1', body: { sound: false } };
  await answer(off, failure(0));
  await answer({ ...off, url: '/api/devices/2' }, ok);
  await answer(off, failure(0));
  expect(keys[2]).toBe(keys[0]);
  await answer({ ...off, body: { sound: true } }, ok);
  await answer(off, ok);
  expect(keys[4]).not.toBe(keys[0]);
});

test('what was done to a thing is done anew once something else was done to the same thing', async () => {
  const { answer, keys } = setup();
  const release = '/api/releases/0198a000-0000-7000-8000-000000000001';
  const pause: Call = { method: 'POST', url: `${release}/pause`, body: {} };
  await answer(pause, failure(0));
  await answer({ ...pause, url: '/api/releases/0198a000-0000-7000-8000-000000000002/resume' }, ok);
  await answer({ ...pause, url: `${release}/resume` }, failure(0));
  await answer(pause, failure(0));
  expect(keys[3]).toBe(keys[0]);
  await answer({ ...pause, url: `${release}/resume` }, ok);
  await answer(pause, ok);
  expect(keys[5]).not.toBe(keys[0]);
});

const AD = '/api/ads/0198a000-0000-7000-8000-000000000001';
const RELEASE = '/api/releases/0198a000-0000-7000-8000-000000000002';
const DEVICE = '/api/devices/0198a000-0000-7000-8000-000000000003';
const post = (url: string): Call => ({ method: 'POST', url, body: {} });
const batch = (body: object): Call => ({ method: 'POST', url: '/api/devices/batch', body });

test.each([
  ['a release that was withdrawn', post(`${AD}/release`), post(`${RELEASE}/withdraw`)],
  ['a batch that was undone', post('/api/devices/batch'), post('/api/devices/undo')],
  [
    'a takeover that was ended',
    post('/api/takeovers'),
    post('/api/takeovers/0198a000-0000-7000-8000-000000000004/end'),
  ],
  ['a device that was deleted', post('/api/devices'), { method: 'DELETE', url: DEVICE } satisfies Call],
  ['a copy that was deleted', post(`${AD}/copy`), { method: 'DELETE', url: AD.replace('1', '5') } satisfies Call],
  ['a release in whose place another ad was released', post(`${AD}/release`), post(`${AD.replace('1', '5')}/release`)],
  ['hours that were set to others', batch({ action: 'hours', hours: 1 }), batch({ action: 'hours', hours: 2 })],
])('%s is done anew, although its first answer was lost', async (_what, first, takenBack) => {
  const { answer, keys } = setup();
  await answer(first, failure(0));
  await answer(takenBack, failure(0));
  await answer(first, failure(0));
  expect(keys[2]).toBe(keys[0]);
  await answer(takenBack, ok);
  await answer(first, ok);
  expect(keys[4]).not.toBe(keys[0]);
});

test.each([
  ['devices are not extended twice', batch({ action: 'extend', months: 12 }), post('/api/takeovers')],
  ['devices are not extended twice', batch({ action: 'extend', months: 12 }), { method: 'DELETE', url: DEVICE }],
  [
    'devices are not extended twice',
    batch({ action: 'extend', months: 12 }),
    batch({ action: 'addTags', tags: ['a'] }),
  ],
  ['no second takeover begins', post('/api/takeovers'), { method: 'DELETE', url: AD }],
  ['no second release is made', post(`${AD}/release`), { method: 'DELETE', url: DEVICE }],
] satisfies [string, Call, Call][])(
  '%s because something else was ended after an answer was lost',
  async (_, first, done) => {
    const { answer, keys } = setup();
    await answer(first, failure(0));
    await answer(done, ok);
    await answer(first, ok);
    expect(keys[2]).toBe(keys[0]);
  },
);

test.each([400, 409, 422])('after %d the next try is a new request', async (code) => {
  const { answer, keys } = setup();
  await answer(save, failure(code));
  await vi.advanceTimersByTimeAsync(500);
  await answer(save, ok);
  expect(new Set(keys).size).toBe(2);
});

test('a refusal belongs to the taps of a double tap; a person who taps again after it was shown is answered anew', async () => {
  const { make, answer, keys, answers } = setup();
  await answer(save, failure(403));
  expect(await make(save)).toEqual(failure(403));
  expect(keys).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500);
  const slow = make(save);
  await vi.advanceTimersByTimeAsync(400);
  answers.at(-1)?.(failure(403));
  await slow;
  await vi.advanceTimersByTimeAsync(100);
  expect(await answer(save, ok)).toBe(ok);
  expect(new Set(keys).size).toBe(3);
});

test('files are never taken for one another', async () => {
  const { make, keys, answers } = setup();
  const upload = (): Call => ({ method: 'POST', url: '/api/devices/import', body: new FormData() });
  const both = [make(upload()), make(upload())];
  for (const resolve of answers) resolve(ok);
  await Promise.all(both);
  expect(new Set(keys).size).toBe(2);
});

test('what a person confirms is no double tap of what was answered before', async () => {
  const { make, answer, keys, answers } = setup();
  await answer(save, ok);
  askedToConfirm();
  const confirmed = make(save);
  answers.at(-1)?.(ok);
  expect(await confirmed).toBe(ok);
  expect(new Set(keys).size).toBe(2);
});

test('a call whose answer was lost keeps its key when something is confirmed meanwhile', async () => {
  const { answer, keys } = setup();
  await answer(save, failure(0));
  askedToConfirm();
  await answer(save, ok);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});
