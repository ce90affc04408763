import { Media, type Orientation } from '@ams/contract';
import { z } from 'zod';
import type { Finished, Live } from './ports.ts';

const ORIENTATIONS: Record<1 | 2, Orientation> = { 1: 'vertical', 2: 'horizontal' };

/** A programme as players before orientations stored it: `screen` 1 or 2, and items that are always files. */
const EarlierProgramme = z.looseObject({
  screen: z.union([z.literal(1), z.literal(2)]),
  regions: z.record(z.string(), z.array(z.looseObject({ kind: Media }))),
});
const EarlierLive = z.object({
  manifest: z.looseObject({
    screens: z.object({ main: z.array(EarlierProgramme), secondary: z.array(EarlierProgramme) }),
  }),
});

const renamed = ({ screen, regions, ...programme }: z.output<typeof EarlierProgramme>) => ({
  ...programme,
  orientation: ORIENTATIONS[screen],
  regions: Object.fromEntries(
    Object.entries(regions).map(([region, items]) => [
      region,
      items.map(({ kind, ...item }) => ({ ...item, kind: 'file', media: kind })),
    ]),
  ),
});

/**
 * The manifest that an earlier player left, in today's shape: a device that was updated keeps playing without a
 * network. Undefined when it is none. Its ETag is dropped, so that the server is asked for today's.
 */
export function upgradeLive(stored: unknown): Live | undefined {
  const earlier = EarlierLive.safeParse(stored);
  if (!earlier.success) return undefined;
  const { manifest } = earlier.data;
  const screens = { main: manifest.screens.main.map(renamed), secondary: manifest.screens.secondary.map(renamed) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest was checked when the earlier player stored it
  return { manifest: { ...manifest, screens } as unknown as Live['manifest'], etag: null };
}

/** What an earlier player left of releases that play once: which of them had done so, taken for known at an instant. */
export const upgradeFinished = (stored: readonly string[] | undefined, now: number): Finished =>
  Object.fromEntries((stored ?? []).map((releaseId) => [releaseId, now]));
