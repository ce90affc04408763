import type { ManifestFile } from '@ams/contract';
import type { StoredFile } from '../store/ports.ts';

export interface Plan {
  /** Files to fetch, in the order of need; each content once. */
  fetch: ManifestFile[];
  /** Files to delete before fetching, in this order. */
  drop: string[];
  /** Bytes on disk of what the manifest needs, and bytes of all it needs. */
  doneBytes: number;
  totalBytes: number;
  /** Bytes that will be missing even after dropping; 0 when all fits. */
  shortBytes: number;
}

/** Room left to the device beside the files (manifest, play log, the browser's own). */
export const RESERVE_BYTES = 16 * 2 ** 20;

interface Known {
  files: readonly ManifestFile[];
  /** SHA-256 of those to fetch now; left out: all. The others stay as they are. */
  first?: ReadonlySet<string> | undefined;
  stored: readonly StoredFile[];
  /** SHA-256 of the files of the programmes that play now, regardless of the new manifest. */
  keep: ReadonlySet<string>;
  /** SHA-256 of what is on screen at this moment. */
  onScreen: ReadonlySet<string>;
  /** Undefined if the platform does not report it: then nothing is dropped for space. */
  freeBytes: number | undefined;
}

const isWhole = (stored: StoredFile | undefined, file: ManifestFile): boolean =>
  stored?.state === 'whole' && stored.bytes === file.bytes;

/** Whether every file of a manifest is on disk. */
export function isComplete(files: readonly ManifestFile[], stored: readonly StoredFile[]): boolean {
  const bySha = new Map(stored.map((entry) => [entry.sha256, entry]));
  return files.every((file) => isWhole(bySha.get(file.sha256), file));
}

/**
 * Chooses files to drop for `short` bytes: first those without a programme, the oldest first. When the playing and the new
 * programmes do not fit together, then of the playing ones' files too, the biggest first, so that the fewest
 * are lost, and what is on screen last: the rest plays on. Nothing of them is given for a new programme
 * that does not fit even so.
 */
function toDrop(
  short: number,
  spare: readonly StoredFile[],
  playing: readonly StoredFile[],
  onScreen: Known['onScreen'],
) {
  const drop: string[] = [];
  let left = short;
  const take = (entries: readonly StoredFile[]) => {
    for (const entry of entries) {
      if (left <= 0) return;
      drop.push(entry.sha256);
      left -= entry.bytes;
    }
  };
  take(spare.toSorted((a, b) => a.at - b.at));
  const atMost = playing.reduce((sum, entry) => sum + entry.bytes, 0);
  const rank = (entry: StoredFile) => Number(onScreen.has(entry.sha256));
  if (atMost >= left) take(playing.toSorted((a, b) => rank(a) - rank(b) || b.bytes - a.bytes));
  return { drop, shortBytes: Math.max(0, left) };
}

/**
 * The files to delete so that the reserve is free again, of those that were fetched for a manifest that does not fit: first
 * files that are not whole, the smallest ones first. `freeBytes` may still be written.
 */
export function reserveToFree({ files, stored, keep, freeBytes }: Omit<Known, 'first' | 'onScreen'>): StoredFile[] {
  const wanted = new Set(files.map(({ sha256 }) => sha256));
  const inVain = stored.filter(({ sha256 }) => wanted.has(sha256) && !keep.has(sha256));
  const rank = ({ state }: StoredFile) => Number(state === 'whole');
  const drop: StoredFile[] = [];
  let short = RESERVE_BYTES - (freeBytes ?? RESERVE_BYTES);
  for (const entry of inVain.toSorted((a, b) => rank(a) - rank(b) || a.bytes - b.bytes)) {
    if (short <= 0) break;
    drop.push(entry);
    short -= entry.bytes;
  }
  return drop;
}

/** Manifest × what is stored → what to fetch and what to drop. */
export function plan({ files, first, stored, keep, onScreen, freeBytes }: Known): Plan {
  const wanted = new Map(files.map((file) => [file.sha256, file]));
  const bySha = new Map(stored.map((entry) => [entry.sha256, entry]));
  const isNow = ({ sha256 }: ManifestFile) => first === undefined || first.has(sha256);
  const fetch = [...wanted.values()].filter((file) => isNow(file) && !isWhole(bySha.get(file.sha256), file));
  const onDisk = (file: ManifestFile) => Math.min(bySha.get(file.sha256)?.bytes ?? 0, file.bytes);
  const sum = (list: readonly ManifestFile[], bytesOf: (file: ManifestFile) => number) =>
    list.reduce((total, file) => total + bytesOf(file), 0);

  // A whole file whose size is not the manifest's cannot be continued.
  const wrong = fetch.filter((file) => bySha.get(file.sha256)?.state === 'whole');
  const others = stored.filter((entry) => !wanted.has(entry.sha256));
  const freed = sum(wrong, (file) => bySha.get(file.sha256)?.bytes ?? 0);
  const needed = sum(fetch, (file) => file.bytes - (wrong.includes(file) ? 0 : onDisk(file)));
  const short = freeBytes === undefined || fetch.length === 0 ? 0 : needed + RESERVE_BYTES - freeBytes - freed;
  const { drop, shortBytes } = toDrop(
    short,
    others.filter((entry) => !keep.has(entry.sha256)),
    others.filter((entry) => keep.has(entry.sha256)),
    onScreen,
  );
  return {
    fetch,
    drop: [...wrong.map((file) => file.sha256), ...drop],
    doneBytes: sum([...wanted.values()], (file) => (wrong.includes(file) ? 0 : onDisk(file))),
    totalBytes: sum([...wanted.values()], (file) => file.bytes),
    shortBytes,
  };
}
