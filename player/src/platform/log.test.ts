import { beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from './log.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');

let kept: string | null;
const keeping = {
  read: () => kept,
  write: (text: string) => {
    kept = text;
  },
};

beforeEach(() => {
  kept = null;
  vi.spyOn(console, 'info').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('the last 500 lines are there after a reload, the newest last', () => {
  const before = makeLog(() => NOON, keeping);
  for (let number = 0; number < 600; number++) before.log('info', `line ${number}`);
  before.log('error', 'the last word');
  const after = makeLog(() => NOON, keeping);
  expect(after.lines()).toHaveLength(500);
  expect(after.lines().at(-1)).toEqual({ at: '2026-11-21T12:00:00.000Z', level: 'error', text: 'the last word' });
  expect(after.lines().at(-2)?.text).toBe('line 599');
});

test('the log works without storage and with damaged stored lines', () => {
  kept = '{"not":"lines"';
  const refuse = () => {
    throw new Error('refused');
  };
  const log = makeLog(() => NOON, { read: keeping.read, write: refuse });
  log.log('error', 'one');
  expect(log.lines()).toHaveLength(1);
});
