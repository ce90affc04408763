import { expect, test } from 'vitest';
import { memory } from '../../test/storage.ts';
import { makeSession } from './session.ts';
import { makeStorage, UPLOADS_SETTING } from './storage.ts';

/** Tabs of one browser: each has values of its own besides those that all share. */
function browser() {
  const local = memory();
  return () => {
    const storage = makeStorage({ local, session: memory(), now: () => 1_700_000_000_000 });
    return { storage, session: makeSession(storage) };
  };
}

/** The headers of an answer to a person; `token` is that of a new session. */
function answerTo(name: string, token?: string) {
  const json = (value: object) => encodeURIComponent(JSON.stringify(value));
  const headers: Record<string, string> = {
    role: name === 'root' ? 'leading' : 'member',
    current: json({ id: `account ${name}`, username: name }),
    person: json({ id: name, username: name, name, access: 'holder' }),
    ...(name !== 'root' && { superior: json({ id: 'account root', username: 'root' }) }),
    ...(token !== undefined && { token, expires_in: '60' }),
  };
  return (header: string) => headers[header];
}

test('when somebody else signs in in another tab, nothing of the person before is left in the first', () => {
  const open = browser();
  const first = open();
  first.session.take(answerTo('mia', 'one'));
  const seen: boolean[] = [];
  first.session.subscribe(({ signedIn }) => seen.push(signedIn));
  open().session.take(answerTo('root', 'two'));
  first.session.check();
  expect(seen).toEqual([false, true]);
  expect(first.session.snapshot()).toMatchObject({ signedIn: true, leading: false, turn: 1 });
  expect(first.session.snapshot()).toMatchObject({ current: undefined, superior: undefined, person: undefined });
  first.session.take(answerTo('root'));
  expect(first.session.snapshot()).toMatchObject({ turn: 1, leading: true, current: { username: 'root' } });
  expect(first.session.snapshot().superior).toBeUndefined();
});

test('what a person had begun is not shown to the next one, who signs in without a log-out before', () => {
  const { storage, session } = browser()();
  session.take(answerTo('mia', 'one'));
  storage.setBatch('begun');
  storage.setSetting(UPLOADS_SETTING, [{ name: 'private.mp4' }]);
  session.take(answerTo('mia', 'renewed'));
  expect([storage.batch(), session.snapshot().turn]).toEqual(['begun', 0]);
  session.take(answerTo('zoe', 'two'));
  expect([storage.batch(), storage.setting(UPLOADS_SETTING), session.snapshot().turn]).toEqual([
    undefined,
    undefined,
    1,
  ]);
});
