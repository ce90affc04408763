import { expect, test } from 'vitest';
import { memory } from '../../test/storage.ts';
import { makeStorage } from './storage.ts';

function setup() {
  const clock = { now: 1_700_000_000_000 };
  const local = memory();
  const session = memory();
  return { clock, local, session, storage: makeStorage({ local, session, now: () => clock.now }) };
}

test('a token is kept with its expiry in epoch seconds and reads as absent once past it', () => {
  const { clock, local, storage } = setup();
  storage.setToken('abc', 60);
  expect(JSON.parse(local.getItem('ams_token') ?? '')).toEqual({ token: 'abc', expires: 1_700_000_060 });
  clock.now += 60_000;
  expect(storage.token()).toBe('abc');
  clock.now += 1;
  expect(storage.token()).toBeUndefined();
});

test('a damaged token reads as absent', () => {
  const { local, storage } = setup();
  for (const text of ['', '{', 'null', '"abc"', '{"token":1,"expires":2}', '{"token":"abc"}']) {
    local.setItem('ams_token', text);
    expect(storage.token()).toBeUndefined();
  }
});

test('clearing ends the session and keeps the language', () => {
  const { local, session, storage } = setup();
  storage.setToken('abc', 60);
  storage.mirror('role', 'leading');
  session.setItem('ams_form /release', '{}');
  session.setItem('of-a-library', '1');
  storage.setLanguage('zh');
  storage.clearSession();
  expect(storage.token()).toBeUndefined();
  expect(session.getItem('ams_role')).toBeNull();
  expect(session.getItem('ams_form /release')).toBeNull();
  expect(session.getItem('of-a-library')).toBe('1');
  expect(local.getItem('lang')).toBe('zh');
});
