import { expect, test } from 'vitest';
import { makeClock } from './clock.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;

function device(wall: number, kept?: { now: number; behindMs: number }) {
  const time = { wall, monotonic: 500 };
  const clock = makeClock({ wall: () => time.wall, monotonic: () => time.monotonic, kept });
  const pass = (ms: number) => {
    time.wall += ms;
    time.monotonic += ms;
  };
  return { clock, time, pass };
}

test("the server's time counts, less half the round trip, and continues by itself", () => {
  const { clock, pass } = device(NOON - HOUR);
  clock.correct(NOON, 200, 0);
  pass(1000);
  expect(clock.now()).toBe(NOON + 1100);
});

test('the own clock may be set meanwhile without anybody seeing it', () => {
  const { clock, time } = device(NOON);
  time.wall += 9 * HOUR;
  expect(clock.now()).toBe(NOON);
});

test('a difference within the tolerance changes nothing', () => {
  const { clock } = device(NOON);
  clock.correct(NOON + 1500, 0, 2000);
  expect(clock.now()).toBe(NOON);
});

test('the clock reports the first answer and each correction, so that it is kept at once, and no difference within the tolerance', () => {
  const told: [number, number][] = [];
  const clock = makeClock({
    wall: () => NOON,
    monotonic: () => 500,
    kept: undefined,
    onCorrected: (byMs) => told.push([byMs, clock.now()]),
  });
  clock.correct(NOON + 1500, 0, 2000);
  expect(told).toEqual([[0, NOON]]);
  clock.correct(NOON - 1500, 0, 2000);
  clock.correct(NOON + HOUR, 0, 2000);
  expect(told.slice(1)).toEqual([[HOUR, NOON + HOUR]]);
});

test('the clock is right once the server has answered, after the correction was reported', () => {
  const seen: [number, boolean][] = [];
  const clock = makeClock({
    wall: () => NOON,
    monotonic: () => 500,
    kept: undefined,
    onCorrected: (byMs) => seen.push([byMs, clock.isRight()]),
  });
  expect(clock.isRight()).toBe(false);
  clock.correct(NOON - HOUR, 0, 2000);
  clock.correct(NOON, 0, 2000);
  expect(seen).toEqual([
    [-HOUR, false],
    [HOUR, true],
  ]);
});

test('an answer without a time leaves the clock as it is, which counts as right', () => {
  const { clock } = device(NOON);
  clock.correct(Number.NaN, 0, 2000);
  expect([clock.now(), clock.isRight()]).toEqual([NOON, true]);
});

test('after a restart without a network the clock is as right as it was', () => {
  const before = device(NOON - HOUR);
  before.clock.correct(NOON, 0, 0);
  expect(device(NOON + HOUR, before.clock.keep()).clock.now()).toBe(NOON + 2 * HOUR);
});

test('a device whose clock is reset to 1970 resumes where it was', () => {
  const before = device(NOON);
  expect(device(0, before.clock.keep()).clock.now()).toBe(NOON);
});
