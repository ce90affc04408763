import type { StoredFile } from './ports.ts';

/** Calls of the storage worker with arguments and results. `part` identifies an open part. */
export interface MediaCalls {
  list: { asks: null; answers: StoredFile[] };
  open: { asks: { sha256: string }; answers: { part: number; bytes: number } };
  /** Answers how many bytes are on disk. */
  append: { asks: { part: number; chunk: Uint8Array<ArrayBuffer> }; answers: number };
  restart: { asks: { part: number }; answers: void };
  digest: { asks: { part: number }; answers: string };
  commit: { asks: { part: number }; answers: void };
  discard: { asks: { part: number }; answers: void };
  close: { asks: { part: number }; answers: void };
  check: { asks: { sha256: string }; answers: 'sound' | 'damaged' | 'missing' };
  drop: { asks: { sha256: string }; answers: void };
}
export type MediaCall = keyof MediaCalls;

export type MediaRequest = { [C in MediaCall]: { id: number; call: C; asks: MediaCalls[C]['asks'] } }[MediaCall];

export type MediaAnswer =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; reason: 'diskFull' | 'storage'; message: string };
