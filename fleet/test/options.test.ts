import { expect, test } from 'vitest';
import { readOptions } from '../src/options.ts';

test('without flags', () => {
  expect(readOptions([], {})).toEqual({
    machines: 10,
    server: 'http://localhost:3000',
    operator: undefined,
    enrolmentKey: undefined,
    keep: false,
    stateFile: 'data/fleet.json',
    flapMs: undefined,
    slowBytes: undefined,
  });
});

test.each([
  [['--machines', '0'], /^--machines must be a whole number from 1 to 5000, not "0"$/],
  [['--machines', '1.5'], /--machines/],
  [['--server', 'localhost:3000'], /^--server must be an address like/],
  [['--user', 'admin'], /go together/],
  [['--flap', 'often'], /^--flap must be a number/],
  [['--slow', '0'], /^--slow must be/],
  [['--many'], /Unknown option '--many'/],
  [['many'], /many/],
  [['--key'], /--key/],
])('%j is refused in one line', (args, words) => {
  expect(() => readOptions(args, {})).toThrow(words);
  expect(() => readOptions(args, {})).toThrow(/^[^\n]+$/);
});
