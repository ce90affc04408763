import type { Call, Envelope } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Intents } from './intents.ts';
import { letOutlive } from './lasting.ts';
import { session } from './session.ts';
import { storage } from './storage.ts';

const ok: Envelope<unknown> = { code: 200, message: 'ok', data: null };
const lost: Envelope<unknown> = { code: 0, error: 'NETWORK', message: 'x' };
const post = (url: string, body = {}): Call => ({ method: 'POST', url, body });
const AD = '/api/ads/0198a000-0000-7000-8000-000000000001';
const release = post(`${AD}/release`);
const create = post('/api/campaigns', { name: 'Autumn' });

/** The page of a tab, with a form or not; `keys` are those of the requests that it sent. */
function load({ form = true } = {}) {
  const intents = new Intents();
  if (form) letOutlive(intents);
  const keys: string[] = [];
  /** Makes a call; undefined: it is not answered. */
  const make = (call: Call, answer?: Envelope<unknown>) =>
    intents.once(call, (key) => {
      keys.push(key);
      return answer ? Promise.resolve(answer) : new Promise(() => undefined);
    });
  return { make, keys };
}

function signIn(id: string) {
  storage.setToken('token', 60);
  const person = encodeURIComponent(JSON.stringify({ id, username: id, name: id, access: 'operator' }));
  session.take((name) => ({ role: 'member', person })[name]);
}

beforeEach(() => {
  vi.useFakeTimers();
  signIn('ann');
});
afterEach(() => {
  vi.useRealTimers();
  session.clear();
});

test.each([
  ['the answer was lost', lost],
  ['it was not answered yet', undefined],
])('what was begun is tried with the same key after the page was loaded again, when %s', async (_when, answer) => {
  const before = load();
  const made = before.make(release, answer);
  if (answer) await made;
  const after = load();
  await after.make(release, ok);
  expect(after.keys).toEqual(before.keys);
  const last = load();
  await last.make(release, ok);
  expect(last.keys).not.toEqual(before.keys);
});

test('what is done long after the page was loaded again is another intent', async () => {
  const before = load();
  await before.make(release, lost);
  void before.make(create);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  const after = load();
  await after.make(release, ok);
  await after.make(create, ok);
  expect(after.keys.some((key) => before.keys.includes(key))).toBe(false);
});

test.each([
  ['with a form', true],
  ['without a form', false],
])(
  'a release that was withdrawn on a page %s is done anew, although its first answer was lost',
  async (_what, form) => {
    const before = load();
    await before.make(release, lost);
    await load({ form }).make(post('/api/releases/0198a000-0000-7000-8000-000000000002/withdraw'), ok);
    const after = load();
    await after.make(release, ok);
    expect(after.keys).not.toEqual(before.keys);
  },
);

test('nothing that a person did stays in the tab for the next one, and no secret is kept at all', async () => {
  const { make, keys } = load();
  await make(release, lost);
  await make(post('/api/users', { password: 'secret-1' }), lost);
  const kept = () => JSON.stringify(storage.mirrored('intents'));
  expect(kept()).toContain('/release');
  expect(kept()).not.toContain('secret-1');
  session.clear();
  expect(kept()).toBeUndefined();
  signIn('ben');
  await make(create, lost);
  expect(kept()).toContain('Autumn');
  expect(kept()).not.toContain('/release');
  expect(keys).toHaveLength(3);
});
