import { createHash } from 'node:crypto';
import {
  type AdItem,
  AppError,
  filesOfItem,
  regionsOfSplit,
  type ProgrammeItem,
  regionEntries,
  showingMs,
} from '@ams/contract';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { Frozen, StoredAd } from '../releases/releases.service.ts';
import { type ChosenFile, findFiles, findStoredAd, holdAd } from './ads.queries.ts';

/**
 * The copy of an ad that devices get: files by their content, so that later edits, renames and
 * conversions change nothing about what is released. Files are in the order they are needed first:
 * the first of every region, then the second …
 */
async function freeze(db: Db, viewer: Viewer, ad: StoredAd): Promise<Frozen> {
  const regions = regionEntries(ad.regions);
  if (regions.length === 0) throw new AppError('EMPTY_AD');
  const ids = regions.flatMap(([, items]) => items.flatMap(filesOfItem));
  const files = new Map((await findFiles(db, viewer, ids)).map((file) => [file.id, file]));
  const need = (fileId: string): ChosenFile => {
    const file = files.get(fileId);
    if (!file) throw new AppError('NOT_FOUND');
    if (file.state !== 'ready') throw new AppError('FILE_NOT_READY', { name: file.name });
    return file;
  };
  const order = (regionsOfSplit(ad.orientation, ad.split) ?? []).flatMap(({ region }) =>
    (ad.regions[region] ?? []).flatMap((item, turn) => filesOfItem(item).map((id) => ({ file: need(id), turn }))),
  );
  return {
    programme: {
      orientation: ad.orientation,
      split: ad.split,
      playMode: ad.playMode,
      showClock: ad.showClock,
      fit: ad.fit,
      muted: ad.muted,
      background: ad.background,
      ...(ad.qr && { qr: ad.qr }),
      regions: Object.fromEntries(regions.map(([region, items]) => [region, items.map((item) => toItem(item, need))])),
    },
    files: order.toSorted((a, b) => a.turn - b.turn).map(({ file }) => file),
  };
}

function toItem(item: AdItem, need: (fileId: string) => ChosenFile): ProgrammeItem {
  switch (item.kind) {
    case 'file': {
      const { sha256, media, durationMs } = need(item.fileId);
      const { kind, seconds } = item;
      return { kind, sha256, media, durationMs: showingMs({ media, durationMs, seconds }) };
    }
  }
}

/** The ad and its frozen copy; throws `CHANGED_MEANWHILE` when it is not the version that the operator saw. */
export async function frozenAd(
  deps: Pick<Deps, 'signer'>,
  trx: Db,
  actor: Viewer,
  id: string,
  updatedAt: string | undefined,
) {
  await holdAd(trx, id);
  const ad = await findStoredAd(trx, actor, deps.signer, id);
  if (!ad) throw new AppError('NOT_FOUND');
  // Nobody sends what he has not seen: somebody's edit, or a file that is gone.
  if (updatedAt !== undefined && updatedAt !== ad.updatedAt) throw new AppError('CHANGED_MEANWHILE');
  return { ad, frozen: await freeze(trx, actor, ad) };
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Identifies what an ad shows: equal contents have equal hashes, whatever their files are called. */
export const contentHash = ({ programme, files }: Frozen): string =>
  hashOf({ programme, files: files.map(({ id, sha256, bytes, mime }) => ({ id, sha256, bytes, mime })) });

/** Whether a frozen ad shows what a hash was stored for. Hashes of earlier versions include the names of the files. */
export const isContent = (frozen: Frozen, stored: string | null): boolean =>
  stored === contentHash(frozen) || stored === hashOf(frozen);
