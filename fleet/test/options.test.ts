import { expect, test } from 'vitest';
import { readOptions } from '../src/options.ts';

test('without flags', () => {
  expect(readOptions([], {})).toEqual({
    devices: 10,
    first: 1,
    server: 'http://localhost:3000',
    operator: undefined,
    enrolmentKey: undefined,
    keep: false,
    stateFile: 'data/fleet.json',
    faults: {},
  });
});

test('faults come in the units of the flags', () => {
  const flags = ['--flap', '0.5', '--slow', '9', '--corrupt', '2.5', '--diskfull', '3', '--clock-skew', '60'];
  expect(readOptions(flags, {})).toMatchObject({
    faults: { flapMs: 500, slowBytes: 9, corruptPercent: 2.5, diskBytes: 3 * 2 ** 20, clockSkewMs: 60_000 },
  });
});

test.each([
  [['--devices', '0'], /^--devices must be a whole number from 1 to 5000, not "0"$/],
  [['--devices', '1.5'], /--devices/],
  [['--server', 'localhost:3000'], /^--server must be an address like/],
  [['--user', 'admin'], /go together/],
  [['--flap', 'often'], /^--flap must be a number/],
  [['--slow', '0'], /^--slow must be/],
  [['--corrupt', '101'], /^--corrupt must be/],
  [['--diskfull', ''], /^--diskfull must be/],
  [['--clock-skew', 'late'], /^--clock-skew must be/],
  [['--many'], /Unknown option '--many'/],
  [['many'], /many/],
  [['--key'], /--key/],
])('%j is refused in one line', (args, words) => {
  expect(() => readOptions(args, {})).toThrow(words);
  expect(() => readOptions(args, {})).toThrow(/^[^\n]+$/);
});
