import type { StoredFile } from '../sync/ports.ts';

/** What the page asks of the storage worker. `part` names an open part. */
export type MediaRequest =
  | { call: 'list' }
  | { call: 'open'; sha256: string }
  | { call: 'append'; part: number; chunk: Uint8Array<ArrayBuffer> }
  | { call: 'restart' | 'digest' | 'commit' | 'discard' | 'close'; part: number }
  | { call: 'drop'; sha256: string };

export interface MediaResult {
  list: StoredFile[];
  open: { part: number; bytes: number };
  append: number;
  digest: string;
}

export type MediaAnswer =
  { id: number; ok: true; value: unknown } | { id: number; ok: false; reason: 'diskFull' | 'storage'; message: string };
