import { z } from 'zod';
import { Partition } from './partitions.ts';

/** Why a backup cannot be created or restored, in one line for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** An archive is private to its owner: it holds secrets. */
export const PRIVATE = 0o600;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The list of a backup's contents. An archive is a tar file: tables, then stored files, then this list, then the end
 * of the tar file and one line that authenticates all bytes before it (`seal.ts`).
 */
export const Contents = z.object({
  format: z.literal(2),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  partitions: z.array(Partition),
  /** `sha256` is that of the member, which is compressed. */
  tables: z.array(z.object({ name: z.string(), rows: z.number().int().min(0), sha256: Sha256 })),
  /** Stored files, in the order of the members. A member's name is the SHA-256 of its bytes. */
  blobs: z.array(Sha256),
  /** Stored files that rows refer to and that were missing or damaged when the backup was created. */
  lost: z.array(Sha256),
});
export type Contents = z.output<typeof Contents>;

export const CONTENTS_MEMBER = 'backup.json';
/** A list of more than a million stored files. */
export const CONTENTS_MAX_BYTES = 128 * 2 ** 20;

export type Member = { kind: 'contents' } | { kind: 'table'; name: string } | { kind: 'blob'; name: string };

export const tableMember = (name: string): string => `tables/${name}.jsonl.gz`;
/** Stored contents, named by the SHA-256 of their bytes; a backup reads them, a restore writes them. */
export interface ContentStore {
  /** Size in bytes, or undefined when there is none. */
  size(sha256: string): Promise<number | undefined>;
  /** The bytes as a local file, until it is disposed of. */
  borrow(sha256: string): Promise<AsyncDisposable & { path: string }>;
  /** Takes over a finished local file. */
  adopt(sha256: string, file: string): Promise<void>;
  remove(sha256: string): Promise<void>;
}

export const blobMember = (sha256: string): string => `blobs/${sha256}`;

/** Parses a member's name. Undefined for names that no backup contains, such as one that leaves the folder. */
export function memberOf(name: string): Member | undefined {
  if (name === CONTENTS_MEMBER) return { kind: 'contents' };
  const [, table] = /^tables\/([a-z][a-z0-9_]{0,62})\.jsonl\.gz$/.exec(name) ?? [];
  if (table !== undefined) return { kind: 'table', name: table };
  const [, blob] = /^blobs\/([0-9a-f]{64})$/.exec(name) ?? [];
  return blob === undefined ? undefined : { kind: 'blob', name: blob };
}
