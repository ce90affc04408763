import {
  type Ad,
  AppError,
  IMAGE_SECONDS,
  type Media,
  regionsOfSplit,
  type ProgrammeItem,
  regionEntries,
} from '@ams/contract';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Frozen } from '../releases/releases.service.ts';
import { type ChosenFile, findFiles } from './ads.queries.ts';

/**
 * The copy of an ad that devices get: files by their content, so that later edits, renames and
 * conversions change nothing about what is released. Files are in the order they are needed first:
 * the first of every region, then the second …
 */
export async function freeze(db: Db, viewer: Viewer, ad: Ad): Promise<Frozen> {
  const regions = regionEntries(ad.regions);
  const ids = regions.flatMap(([, items]) => items.map((item) => item.fileId));
  if (ids.length === 0) throw new AppError('EMPTY_AD');
  const files = new Map((await findFiles(db, viewer, ids)).map((file) => [file.id, file]));
  const need = (fileId: string, name: string): ChosenFile => {
    const file = files.get(fileId);
    if (!file) throw new AppError('NOT_FOUND');
    if (file.state !== 'ready') throw new AppError('FILE_NOT_READY', { name });
    return file;
  };
  const programme = Object.fromEntries(
    regions.map(([region, items]) => [region, items.map((item) => toItem(need(item.fileId, item.name), item.seconds))]),
  );
  const order = (regionsOfSplit(ad.orientation, ad.split) ?? []).flatMap(({ region }) =>
    (ad.regions[region] ?? []).map((item, turn) => ({ file: need(item.fileId, item.name), turn })),
  );
  return {
    programme: {
      orientation: ad.orientation,
      split: ad.split,
      playMode: ad.playMode,
      showClock: ad.showClock,
      fit: ad.fit,
      regions: programme,
    },
    files: order.toSorted((a, b) => a.turn - b.turn).map(({ file }) => file),
  };
}

/** How long one showing of a file takes. */
const DURATION_MS: Record<Media, (file: ChosenFile, seconds: number | undefined) => number> = {
  image: (_file, seconds) => (seconds ?? IMAGE_SECONDS.default) * 1000,
  video: (file) => file.durationMs ?? 0,
};

const toItem = (file: ChosenFile, seconds: number | undefined): ProgrammeItem => ({
  sha256: file.sha256,
  kind: 'file',
  media: file.media,
  durationMs: DURATION_MS[file.media](file, seconds),
});
