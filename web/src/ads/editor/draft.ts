import {
  AD_NAME_MAX,
  type Ad,
  type AdBody,
  type AdItem,
  type AdItemShown,
  BLACK,
  FILES_A_REGION_MAX,
  filesOfItem,
  HAS_LENGTH,
  type Media,
  type MediaFile,
  type Region,
  type Orientation,
  type Split,
  kindsFor,
  regionsOfSplit,
  SPLITS,
} from '@ams/contract';
import { beginningOf } from '../../ui/format/beginning.ts';

export type Regions = Partial<Record<Region, AdItemShown[]>>;
type SplitKey = `${Orientation}-${Split}`;

/** An ad in the editor. Files chosen for another split are kept, so that switching back restores them. */
export interface Draft extends Pick<
  Ad,
  'orientation' | 'split' | 'dual' | 'playMode' | 'showClock' | 'fit' | 'muted' | 'background' | 'qr'
> {
  /** Undefined until a person names it: until then the first file does. */
  name: string | undefined;
  bySplit: Partial<Record<SplitKey, Regions>>;
}

export const splitsOf = (orientation: Orientation): Split[] =>
  SPLITS.filter((split) => regionsOfSplit(orientation, split) !== undefined);

export const regionNames = ({ orientation, split }: Pick<Draft, 'orientation' | 'split'>): Region[] =>
  (regionsOfSplit(orientation, split) ?? []).map(({ region }) => region);

const keyOf = ({ orientation, split }: Pick<Draft, 'orientation' | 'split'>): SplitKey => `${orientation}-${split}`;

export const regionsOf = (draft: Draft): Regions => draft.bySplit[keyOf(draft)] ?? {};
export const itemsIn = (draft: Draft, region: Region): AdItemShown[] => regionsOf(draft)[region] ?? [];
export const isEmpty = (draft: Draft): boolean =>
  regionNames(draft).every((region) => itemsIn(draft, region).length === 0);
export const fileCount = (draft: Draft): number =>
  regionNames(draft).reduce((sum, region) => sum + itemsIn(draft, region).length, 0);

/** The split that a kind of file calls for: split pictures their own split, all others the full screen. */
export function splitFor(orientation: Orientation, type: number): Split {
  const fits = (split: Split) =>
    regionNames({ orientation, split }).some((region) =>
      kindsFor(orientation, split, region).some((kind) => kind.kind === type),
    );
  return splitsOf(orientation).find(fits) ?? 'full';
}

export const newDraft = (orientation: Orientation, split: Split): Draft => ({
  name: undefined,
  orientation,
  split: regionsOfSplit(orientation, split) ? split : 'full',
  dual: false,
  playMode: 'sequence',
  showClock: false,
  fit: 'contain',
  muted: false,
  background: BLACK,
  qr: null,
  bySplit: {},
});

export const draftOfAd = (ad: Ad): Draft => ({
  name: ad.name,
  orientation: ad.orientation,
  split: ad.split,
  dual: ad.dual,
  playMode: ad.playMode,
  showClock: ad.showClock,
  fit: ad.fit,
  muted: ad.muted,
  background: ad.background,
  qr: ad.qr,
  bySplit: { [keyOf(ad)]: ad.regions },
});

export const itemOfFile = (file: MediaFile): AdItemShown => ({
  kind: 'file',
  fileId: file.id,
  name: file.name,
  media: file.media,
  state: file.state,
  durationMs: file.durationMs,
  poster: file.poster,
  url: file.url,
});

export const withItems = (draft: Draft, region: Region, items: AdItemShown[]): Draft => ({
  ...draft,
  bySplit: { ...draft.bySplit, [keyOf(draft)]: { ...regionsOf(draft), [region]: items } },
});

/** Marks the entries of a file that is no longer there, so that a person sees what to take out. */
export function withoutContent(draft: Draft, fileId: string): Draft {
  const marked = Object.entries(regionsOf(draft)).map(([region, items]) => [
    region,
    items.map((item) =>
      filesOfItem(item).includes(fileId) ? { ...item, state: 'failed' as const, poster: null, url: null } : item,
    ),
  ]);
  return { ...draft, bySplit: { ...draft.bySplit, [keyOf(draft)]: Object.fromEntries(marked) } };
}

/** Assigns each file to a region of its kind; files that do not fit or are too many are omitted. */
export function withFiles(draft: Draft, files: readonly MediaFile[]): Draft {
  return files.reduce((before, file) => {
    const region = regionNames(before).find((name) =>
      kindsFor(before.orientation, before.split, name).some(
        (kind) => kind.orientation === file.orientation && kind.kind === file.kind,
      ),
    );
    if (!region || file.state !== 'ready') return before;
    const items = itemsIn(before, region);
    if (items.length >= FILES_A_REGION_MAX || items.some((item) => filesOfItem(item).includes(file.id))) return before;
    return withItems(before, region, [...items, itemOfFile(file)]);
  }, draft);
}

/** Whether every split of a screen has a region for an item. */
function fitsEverySplit(item: AdItemShown): boolean {
  switch (item.kind) {
    case 'file':
      return FITS_EVERY_SPLIT[item.media];
  }
}

const FITS_EVERY_SPLIT: Record<Media, boolean> = { image: false, video: true };

const takesAny = ({ orientation, split }: Pick<Draft, 'orientation' | 'split'>, region: Region): boolean =>
  kindsFor(orientation, split, region).some((kind) => FITS_EVERY_SPLIT[kind.media]);

/** Another split. One that is still empty takes over the items that fit every split of a screen. */
export function withSplit(draft: Draft, orientation: Orientation, split: Split): Draft {
  const next = { ...draft, orientation, split: regionsOfSplit(orientation, split) ? split : 'full' };
  if (!isEmpty(next) || orientation !== draft.orientation) return next;
  const items = regionNames(draft).flatMap((region) => itemsIn(draft, region).filter(fitsEverySplit));
  const region = regionNames(next).find((name) => takesAny(next, name));
  return region && items.length > 0 ? withItems(next, region, items) : next;
}

/** `items` with the one at `from` moved to `to`. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined) return [...items];
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

const withoutExtension = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '').trim() || name;

/** Display name of an item. */
export function titleOf(item: AdItemShown): string {
  switch (item.kind) {
    case 'file':
      return item.name;
  }
}

/** The name given, else that of the first file, else `fallback`. */
export function nameOf(draft: Draft, fallback: string): string {
  if (draft.name !== undefined) return draft.name;
  const first = regionNames(draft).flatMap((region) => itemsIn(draft, region))[0];
  return beginningOf(first ? withoutExtension(titleOf(first)) : fallback, AD_NAME_MAX);
}

/** An item as it is sent; seconds belong to media without a length of their own. */
function sentItem(item: AdItemShown): AdItem {
  switch (item.kind) {
    case 'file': {
      const { kind, fileId, media, seconds } = item;
      return HAS_LENGTH[media] || seconds === undefined ? { kind, fileId } : { kind, fileId, seconds };
    }
  }
}

/** The request; regions without items are omitted. */
export function bodyOf(draft: Draft, fallbackName: string): AdBody {
  const { orientation, split, dual, playMode, showClock, fit, muted, background, qr } = draft;
  const regions = Object.fromEntries(
    regionNames(draft)
      .map((region) => [region, itemsIn(draft, region)] as const)
      .filter(([, items]) => items.length > 0)
      .map(([region, items]) => [region, items.map(sentItem)]),
  );
  const name = nameOf(draft, fallbackName);
  return { name, orientation, split, dual, playMode, showClock, fit, muted, background, qr, regions };
}

/** Whether two drafts would be stored as the same ad. */
export const sameAd = (a: Draft, b: Draft): boolean => JSON.stringify(bodyOf(a, '')) === JSON.stringify(bodyOf(b, ''));
