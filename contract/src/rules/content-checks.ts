import { z } from 'zod';
import { type Fit, type Orientation, Region, regionsOfSplit, type Split } from '../vocabulary.ts';

/** What content checks find. Findings inform people; they never block a file. */
export const FINDING_KINDS = ['black', 'frozen', 'silent', 'tooLoud', 'flashing', 'tooSmall'] as const;
export const FindingKind = z.enum(FINDING_KINDS);
export type FindingKind = z.output<typeof FindingKind>;

/** A part of a video, in milliseconds from its start. */
export const Passage = z.object({ fromMs: z.number().int(), toMs: z.number().int() });
export type Passage = z.output<typeof Passage>;

/** What was measured of a video, before rules decide what is worth mentioning. */
export const Measured = z.object({
  black: z.array(Passage),
  frozen: z.array(Passage),
  silent: z.array(Passage),
  loud: z.array(Passage),
  flashing: z.array(Passage),
});
export type Measured = z.output<typeof Measured>;

/** A finding on a file; `passages` is empty for `tooSmall`, which is about the whole file. */
export const Finding = z.object({ kind: FindingKind, passages: z.array(Passage) });
export type Finding = z.output<typeof Finding>;

/** Shorter passages are means of design: a cut through black, a still, a pause. */
export const BLACK_LEAST_MS = 2000;
export const FROZEN_LEAST_MS = 5000;
export const SILENT_LEAST_MS = 5000;
/** Short-term loudness (a window of 3 s) that an advertisement may reach: EBU R 128 s1, in LUFS. */
export const LOUD_LUFS = -18;
/** Half of the window of short-term loudness: its value stands for the moment in the middle. */
export const LOUD_HALF_WINDOW_MS = 1500;
/** Flashes in any second: WCAG 2.2, 2.3.1, and ITU-R BT.1702. A flash is a pair of opposing changes. */
export const FLASHES_A_SECOND_MAX = 3;
/**
 * A change between two frames that counts, as `frame-badness` of ffmpeg's filter `photosensitivity` (60 levels of 256
 * on average of the picture are 1): a quarter of the picture by a tenth of the highest luminance (WCAG 2.2), which from
 * black are 89 levels.
 */
export const FLASH_CHANGE = 0.37;
/** Passages of one finding; more of them tell no more. */
export const PASSAGES_MAX = 20;

const SECOND_MS = 1000;

/** Passages that touch or are at most `gapMs` apart become one; they come in the order of their begin. */
export function joined(passages: readonly Passage[], gapMs = 0): Passage[] {
  const all: Passage[] = [];
  for (const { fromMs, toMs } of passages) {
    const last = all.at(-1);
    if (last && fromMs <= last.toMs + gapMs) last.toMs = Math.max(last.toMs, toMs);
    else all.push({ fromMs, toMs });
  }
  return all;
}

/** What is left of passages outside of others; both in the order of their begin, without overlaps. */
export function without(passages: readonly Passage[], others: readonly Passage[]): Passage[] {
  return others.reduce<Passage[]>(
    (left, cut) =>
      left.flatMap(({ fromMs, toMs }) =>
        [
          { fromMs, toMs: Math.min(toMs, cut.fromMs) },
          { fromMs: Math.max(fromMs, cut.toMs), toMs },
        ].filter((part) => part.fromMs < part.toMs),
      ),
    [...passages],
  );
}

/** Where more than three flashes a second are, from the times (ascending) of large changes of the picture. */
export function flashingIn(changesMs: readonly number[]): Passage[] {
  const most = 2 * FLASHES_A_SECOND_MAX;
  const windows = changesMs.flatMap((fromMs, index) => {
    const toMs = changesMs[index + most];
    return toMs !== undefined && toMs - fromMs <= SECOND_MS ? [{ fromMs, toMs }] : [];
  });
  return joined(windows, SECOND_MS);
}

const lasting = (passages: readonly Passage[], leastMs: number): Passage[] =>
  passages.filter(({ fromMs, toMs }) => toMs - fromMs >= leastMs);

/** The findings on a video, in the order of `FINDING_KINDS`. */
export function findingsOf({ black, frozen, silent, loud, flashing }: Measured): Finding[] {
  const found: Finding[] = [
    { kind: 'black', passages: lasting(black, BLACK_LEAST_MS) },
    // A black passage is frozen as well: it is mentioned once.
    { kind: 'frozen', passages: lasting(without(frozen, black), FROZEN_LEAST_MS) },
    { kind: 'silent', passages: lasting(silent, SILENT_LEAST_MS) },
    { kind: 'tooLoud', passages: joined(loud, SECOND_MS) },
    { kind: 'flashing', passages: flashing },
  ];
  return found
    .filter(({ passages }) => passages.length > 0)
    .map(({ kind, passages }) => ({ kind, passages: passages.slice(0, PASSAGES_MAX) }));
}

/** Pixels of the screens that content is judged for: Full HD, which most advertising devices have. */
const SCREEN = { long: 1920, short: 1080 };
/** A file that is enlarged more than this has less than a quarter of the pixels of its place. */
export const ENLARGED_MOST = 2;

interface Place {
  orientation: Orientation;
  split: Split;
  region: Region;
  fit: Fit;
}

/** Width and height of a region on a Full HD screen; undefined where the split has no such region. */
function sizeOf({ orientation, split, region }: Place): { width: number; height: number } | undefined {
  const share = regionsOfSplit(orientation, split)?.find((each) => each.region === region)?.share;
  if (share === undefined) return undefined;
  return orientation === 'vertical'
    ? { width: SCREEN.short, height: SCREEN.long * share }
    : { width: SCREEN.long * share, height: SCREEN.short };
}

/** Whether a file has so few pixels for its place that text in it may be illegible. */
export function isTooSmall(file: { width: number | null; height: number | null }, place: Place): boolean {
  const size = sizeOf(place);
  if (!size || !file.width || !file.height) return false;
  const scales = [size.width / file.width, size.height / file.height];
  return (place.fit === 'cover' ? Math.max(...scales) : Math.min(...scales)) > ENLARGED_MOST;
}

/** A finding on a file of an ad, in the region that shows it. */
export const AdFinding = Finding.extend({
  file: z.object({ id: z.uuid(), name: z.string() }),
  region: Region,
});
export type AdFinding = z.output<typeof AdFinding>;

/** `pending`: some videos are still measured. `incomplete`: some could not be measured. */
export const ChecksState = z.enum(['complete', 'pending', 'incomplete']);
export type ChecksState = z.output<typeof ChecksState>;

export const ContentChecks = z.object({ state: ChecksState, findings: z.array(AdFinding) });
export type ContentChecks = z.output<typeof ContentChecks>;
