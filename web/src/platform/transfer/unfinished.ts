import { UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import type { PreviousUpload, UrlStorage } from 'tus-js-client';
import { z } from 'zod';
import { storage, UPLOADS_SETTING } from '../storage.ts';

/** An upload with a stored address, so that selecting the same file again resumes it. */
const Unfinished = z.object({
  fingerprint: z.string(),
  name: z.string(),
  size: z.number(),
  /** Bytes handed over when this was last noted; the server knows better. */
  sent: z.number(),
  url: z.string(),
  /** Milliseconds since 1970. */
  since: z.number(),
});
export type Unfinished = z.output<typeof Unfinished>;

const EXPIRY = UPLOAD_EXPIRY_HOURS * 3_600_000;
const Stored = z.array(Unfinished).catch([]);

const read = (): Unfinished[] =>
  Stored.parse(storage.setting(UPLOADS_SETTING)).filter(({ since }) => since > Date.now() - EXPIRY);
const write = (entries: readonly Unfinished[]): void => storage.setSetting(UPLOADS_SETTING, entries);

const prefixOf = (place: readonly (string | number)[]): string => [...place, ''].join('|');

/** Identity of a file selected again: its place, which begins with its uploader, and its properties. */
export const fingerprintOf = (place: readonly (string | number)[], name: string, file: File): string =>
  `${prefixOf(place)}${[file.size, file.lastModified, name].join('|')}`;

/** The unfinished upload of a file, as the browser's storage has it. */
export const findUnfinished = (fingerprint: string): Unfinished | undefined =>
  read().find((entry) => entry.fingerprint === fingerprint);

/** Unfinished uploads at a place. */
export const unfinishedOf = (place: readonly (string | number)[]): Unfinished[] =>
  read().filter(({ fingerprint }) => fingerprint.startsWith(prefixOf(place)));

/**
 * Those that this page began or continued. The end of a session removes their addresses from the browser's storage: a
 * person who signs in to the same page again continues from what arrived, which would otherwise fill the quota until it expires.
 */
const known = new Map<string, Unfinished>();

function keep(entry: Unfinished): void {
  known.set(entry.fingerprint, entry);
  write([...read().filter(({ fingerprint }) => fingerprint !== entry.fingerprint), entry]);
}

export function forget(fingerprint: string): void {
  known.delete(fingerprint);
  write(read().filter((entry) => entry.fingerprint !== fingerprint));
}

/** Notes how far an upload is, for the list of unfinished ones after a reload. */
export const noteSent = (fingerprint: string, sent: number): void =>
  write(read().map((entry) => (entry.fingerprint === fingerprint ? { ...entry, sent } : entry)));

const toPrevious = (entry: Unfinished): PreviousUpload => ({
  size: entry.size,
  metadata: { name: entry.name },
  creationTime: new Date(entry.since).toISOString(),
  urlStorageKey: entry.fingerprint,
  uploadUrl: entry.url,
  parallelUploadUrls: null,
});

/** The addresses of unfinished uploads, where tus keeps them: in the app's own storage, for a day. */
export const unfinishedUrls: UrlStorage = {
  findAllUploads: async () => read().map(toPrevious),
  findUploadsByFingerprint: async (fingerprint) => {
    const found = findUnfinished(fingerprint) ?? known.get(fingerprint);
    if (!found) return [];
    keep(found);
    return [toPrevious(found)];
  },
  removeUpload: async (fingerprint) => forget(fingerprint),
  addUpload: async (fingerprint, { size, metadata, uploadUrl }) => {
    forget(fingerprint);
    const entry = { fingerprint, name: metadata['name'] ?? '', size: size ?? 0, sent: 0, since: Date.now() };
    if (uploadUrl) keep({ ...entry, url: uploadUrl });
    return fingerprint;
  },
};
