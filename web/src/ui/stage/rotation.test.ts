import { type AdItemShown, BLACK, type PlayMode } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterItem, startPreview, turnsOf } from './rotation.ts';
import type { Staged } from './rotation.ts';

const item = (n: number): AdItemShown => ({
  kind: 'file',
  fileId: `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  name: `${n}`,
  media: 'image',
  state: 'ready',
  durationMs: null,
  poster: null,
  url: null,
});
const ad = (playMode: PlayMode, count: number): Staged => ({
  orientation: 'vertical',
  split: 'full',
  playMode,
  qr: null,
  showClock: false,
  fit: 'contain',
  background: BLACK,
  regions: { full: Array.from({ length: count }, (_, n) => item(n)) },
});
const counts = fc.integer({ min: 1, max: 30 });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** The places shown one after the other, over three rounds; each turn shows what was made ready before it. */
function play(mode: PlayMode, count: number, random: number): number[] {
  let rotation = startPreview(ad(mode, count), random);
  const shown: number[] = [];
  let ready: number | undefined;
  for (let step = 0; rotation && step < count * 3; step += 1) {
    const [now, next] = turnsOf(rotation, 'full');
    if (ready !== undefined) expect(now?.index).toBe(ready);
    shown.push(now?.index ?? -1);
    ready = next?.index;
    rotation = afterItem(rotation, 'full');
  }
  return shown;
}

test('in order: every item in turn, round after round', () => {
  fc.assert(
    fc.property(counts, chance, (count, random) => {
      expect(play('sequence', count, random)).toEqual(Array.from({ length: count * 3 }, (_, step) => step % count));
    }),
  );
});

test('once: every item once, then it stays on the last', () => {
  fc.assert(
    fc.property(counts, chance, (count, random) => {
      const wanted = Array.from({ length: count * 3 }, (_, step) => Math.min(step, count - 1));
      expect(play('once', count, random)).toEqual(wanted);
    }),
  );
});

test('shuffled: every item once a round, never the same twice running', () => {
  fc.assert(
    fc.property(counts, chance, (count, random) => {
      const shown = play('shuffle', count, random);
      for (let round = 0; round < 3; round += 1) {
        expect(new Set(shown.slice(round * count, (round + 1) * count)).size).toBe(count);
      }
      if (count > 1) expect(shown.some((index, step) => index === shown[step + 1])).toBe(false);
    }),
  );
});
