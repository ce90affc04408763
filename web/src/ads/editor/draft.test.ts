import {
  AdBody,
  type AdItemShown,
  FILES_A_REGION_MAX,
  FILE_KINDS,
  type FileKind,
  kindsFor,
  type MediaFile,
  ORIENTATIONS,
} from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as draft from './draft.ts';

const splits = fc
  .constantFrom(...ORIENTATIONS)
  .chain((orientation) =>
    fc.record({ orientation: fc.constant(orientation), split: fc.constantFrom(...draft.splitsOf(orientation)) }),
  );

const item = (fileId: string, media: 'image' | 'video'): AdItemShown => ({
  kind: 'file',
  fileId,
  media,
  name: `${fileId}.mp4`,
  state: 'ready',
  durationMs: null,
  poster: null,
  url: null,
});

const file = (id: string, { orientation, kind, media }: FileKind): MediaFile => ({
  id,
  orientation,
  kind,
  media,
  name: 'Autumn sale.jpg',
  mime: 'image/jpeg',
  bytes: 1,
  sha256: '',
  width: 1,
  height: 1,
  durationMs: null,
  state: 'ready',
  progress: null,
  failure: null,
  warning: null,
  owner: { id, username: 'anna', phone: null },
  uploadedBy: null,
  url: null,
  poster: null,
  createdAt: '2026-01-01T00:00:00.000Z',
});

const files = fc
  .uniqueArray(fc.uuid(), { maxLength: 50 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.constantFrom(...FILE_KINDS).map((kind) => file(id, kind)))));

test('files land only where their kind may stand, and never too many', () => {
  fc.assert(
    fc.property(splits, files, ({ orientation, split }, chosen) => {
      const made = draft.withFiles(draft.newDraft(orientation, split), chosen);
      const kinds = new Map(chosen.map((each) => [each.id, each]));
      for (const region of draft.regionNames(made)) {
        const items = draft.itemsIn(made, region);
        expect(items.length).toBeLessThanOrEqual(FILES_A_REGION_MAX);
        for (const { fileId } of items) {
          const { orientation: of, kind: number } = kinds.get(fileId) ?? {};
          expect(
            kindsFor(orientation, split, region).some((kind) => kind.orientation === of && kind.kind === number),
          ).toBe(true);
        }
      }
    }),
  );
});

test('what is sent is what the contract takes', () => {
  fc.assert(
    fc.property(splits, files, ({ orientation, split }, chosen) => {
      const made = draft.withFiles(draft.newDraft(orientation, split), chosen);
      expect(AdBody.safeParse(draft.bodyOf(made, 'Ad')).error).toBeUndefined();
    }),
  );
});

test('another layout and back brings back what was chosen', () => {
  fc.assert(
    fc.property(splits, splits, files, (from, to, chosen) => {
      const before = draft.withFiles(draft.newDraft(from.orientation, from.split), chosen);
      const after = draft.withSplit(draft.withSplit(before, to.orientation, to.split), from.orientation, from.split);
      if (!draft.isEmpty(before)) expect(draft.sameAd(before, after)).toBe(true);
    }),
  );
});

test('an empty layout of the same screen takes over the videos', () => {
  const full = draft.withItems(draft.newDraft('vertical', 'full'), 'full', [item('a', 'video'), item('b', 'image')]);
  const three = draft.withSplit(full, 'vertical', 'three');
  expect(draft.itemsIn(three, 'middle').map(({ fileId }) => fileId)).toEqual(['a']);
  expect(draft.isEmpty(draft.withSplit(full, 'horizontal', 'full'))).toBe(true);
});

test('each kind of file opens the layout it belongs to', () => {
  expect([1, 2, 3, 4, 5].map((kind) => draft.splitFor('vertical', kind))).toEqual([
    'full',
    'full',
    'three',
    'three',
    'two',
  ]);
  expect([1, 2, 3, 4].map((kind) => draft.splitFor('horizontal', kind))).toEqual(['full', 'full', 'three', 'three']);
});

test('moving keeps all items and puts the moved one in its new place', () => {
  const lists = fc.array(fc.nat(), { minLength: 1 });
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (list, start, end) => {
      const from = start % list.length;
      const to = end % list.length;
      const after = draft.moved(list, from, to);
      expect(after[to]).toBe(list[from]);
      const rising = (a: number, b: number) => a - b;
      expect(after.toSorted(rising)).toEqual(list.toSorted(rising));
    }),
  );
});

test('the name is the one given, else that of the first file, else the fallback', () => {
  const empty = draft.newDraft('vertical', 'full');
  const filled = draft.withItems(empty, 'full', [{ ...item('a', 'image'), name: 'Spring sale.final.jpg' }]);
  expect(draft.nameOf(empty, 'Ad')).toBe('Ad');
  expect(draft.nameOf(filled, 'Ad')).toBe('Spring sale.final');
  expect(draft.nameOf({ ...filled, name: 'Mine' }, 'Ad')).toBe('Mine');
});
