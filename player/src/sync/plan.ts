import type { ManifestFile } from '@ams/contract';
import type { StoredFile } from './ports.ts';

export interface Plan {
  /** What to fetch, in the order in which it is needed; each content once. */
  fetch: ManifestFile[];
  /** What to delete before fetching, oldest first. */
  drop: string[];
  /** Bytes on disk of what the manifest needs, and bytes of all it needs. */
  doneBytes: number;
  totalBytes: number;
  /** Bytes that will be missing even after dropping; 0 when all fits. */
  shortBytes: number;
}

/** Room left to the machine beside the files (manifest, play log, the browser's own). */
export const RESERVE_BYTES = 16 * 2 ** 20;

interface Known {
  files: readonly ManifestFile[];
  stored: readonly StoredFile[];
  /** SHA-256 of what plays now and therefore stays, whatever the new manifest says. */
  keep: ReadonlySet<string>;
  /** Undefined when the platform does not say: then nothing is dropped for space. */
  freeBytes: number | undefined;
}

const isWhole = (stored: StoredFile | undefined, file: ManifestFile): boolean =>
  stored?.state === 'whole' && stored.bytes === file.bytes;

/** Whether every file of a manifest is on disk. */
export function isComplete(files: readonly ManifestFile[], stored: readonly StoredFile[]): boolean {
  const bySha = new Map(stored.map((entry) => [entry.sha256, entry]));
  return files.every((file) => isWhole(bySha.get(file.sha256), file));
}

/** Manifest × what is stored → what to fetch and what to drop. */
export function plan({ files, stored, keep, freeBytes }: Known): Plan {
  const wanted = new Map(files.map((file) => [file.sha256, file]));
  const bySha = new Map(stored.map((entry) => [entry.sha256, entry]));
  const fetch = [...wanted.values()].filter((file) => !isWhole(bySha.get(file.sha256), file));
  const onDisk = (file: ManifestFile) => Math.min(bySha.get(file.sha256)?.bytes ?? 0, file.bytes);
  const sum = (list: readonly ManifestFile[], bytesOf: (file: ManifestFile) => number) =>
    list.reduce((total, file) => total + bytesOf(file), 0);

  // A whole file whose size is not the manifest's cannot be continued.
  const wrong = fetch.filter((file) => bySha.get(file.sha256)?.state === 'whole');
  const unneeded = stored
    .filter((entry) => !wanted.has(entry.sha256) && !keep.has(entry.sha256))
    .toSorted((a, b) => a.at - b.at);
  const freed = sum(wrong, (file) => bySha.get(file.sha256)?.bytes ?? 0);
  const needed = sum(fetch, (file) => file.bytes - (wrong.includes(file) ? 0 : onDisk(file)));
  let short = freeBytes === undefined || fetch.length === 0 ? 0 : needed + RESERVE_BYTES - freeBytes - freed;
  const drop = wrong.map((file) => file.sha256);
  for (const entry of unneeded) {
    if (short <= 0) break;
    drop.push(entry.sha256);
    short -= entry.bytes;
  }
  return {
    fetch,
    drop,
    doneBytes: sum([...wanted.values()], (file) => (wrong.includes(file) ? 0 : onDisk(file))),
    totalBytes: sum([...wanted.values()], (file) => file.bytes),
    shortBytes: Math.max(0, short),
  };
}
