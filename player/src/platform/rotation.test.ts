import { expect, test } from 'vitest';
import { parseRotation, turned } from './rotation.ts';

test('a screen on its side is seen with width and height exchanged', () => {
  const signal = { name: 'main' as const, width: 1920, height: 1080 };
  const upright = { name: 'main' as const, width: 1080, height: 1920 };
  expect([0, 90, 180, 270].map((degrees) => turned(signal, parseRotation(String(degrees)) ?? 0))).toEqual([
    signal,
    upright,
    signal,
    upright,
  ]);
});

test('a screen of unknown size stays so', () => {
  expect(turned({ name: 'secondary' }, 90)).toEqual({ name: 'secondary' });
});
