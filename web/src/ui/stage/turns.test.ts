import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Turns, firstTurn, nextTurn } from './turns.ts';

const counts = fc.integer({ min: 1, max: 30 });
const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));

function* play(mode: 'sequence' | 'shuffle' | 'once', count: number, random: () => number): Generator<Turns> {
  let turns = firstTurn(mode, count, random);
  for (let step = 0; step < count * 3; step++) {
    yield turns;
    turns = nextTurn(mode, count, turns, random);
  }
}

test('in order: every item in turn, round after round', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const shown = [...play('sequence', count, () => 0)].map((turns) => turns.now.index);
      expect(shown).toEqual(shown.map((_, step) => step % count));
    }),
  );
});

test('once: every item once, then it stays on the last', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const shown = [...play('once', count, () => 0)].map((turns) => turns.now.index);
      expect(shown).toEqual(shown.map((_, step) => Math.min(step, count - 1)));
    }),
  );
});

test('shuffled: always an item of the playlist, and of several never the same twice running', () => {
  fc.assert(
    fc.property(counts, chances, (count, stream) => {
      const random = () => stream.next().value ?? 0;
      const shown = [...play('shuffle', count, random)].map((turns) => turns.now.index);
      expect(shown.every((index) => index >= 0 && index < count)).toBe(true);
      if (count > 1) expect(shown.some((index, step) => index === shown[step + 1])).toBe(false);
    }),
  );
});

test('what was made ready is what comes', () => {
  fc.assert(
    fc.property(counts, chances, (count, stream) => {
      const turns = [...play('shuffle', count, () => stream.next().value ?? 0)];
      turns.slice(1).forEach((each, step) => expect(each.now).toEqual(turns[step]?.next));
    }),
  );
});
