import type { KindNumber, Media, Orientation } from '@ams/contract';
import type { Pace } from '../../platform/transfer/pace.ts';
import { fingerprintOf } from '../../platform/transfer/unfinished.ts';
import type { Owner } from '../place.ts';
import type { Refusal } from './check.ts';

/** Owner and kind of new files. Without a kind the content of each decides. */
export interface UploadGoal {
  owner: Owner;
  orientation: Orientation | undefined;
  kind: KindNumber | undefined;
}

export interface Target extends UploadGoal {
  media: Media;
}

export type UploadState =
  | { kind: 'checking' }
  | { kind: 'refused'; refusal: Refusal }
  /** Waits until others are done. */
  | { kind: 'queued' }
  /** `interrupted`: the network or the server is unavailable; it resumes automatically. */
  | { kind: 'uploading'; pace: Pace; interrupted: boolean }
  | { kind: 'paused' }
  | { kind: 'done'; fileId: string }
  /** `final`: the same file would be refused again. */
  | { kind: 'failed'; message: string; final: boolean };

export interface UploadItem {
  id: string;
  /** The uploader: the id of the user signed in when the file was chosen. */
  by: string;
  target: Target;
  file: File;
  /** The name it gets; that of `file` unless it was renamed. */
  name: string;
  sent: number;
  state: UploadState;
}

/** Running or resumable: counts against the limit of files. */
export const isPending = ({ state }: UploadItem): boolean =>
  state.kind === 'checking' || state.kind === 'queued' || state.kind === 'uploading' || state.kind === 'paused';

/** On its way right now, without the person doing anything. */
export const isRunning = ({ state }: UploadItem): boolean =>
  state.kind === 'checking' || state.kind === 'queued' || state.kind === 'uploading';

/** Can resume now or after a retry: its bytes on the server are worth keeping. */
export const isUnfinished = (item: UploadItem): boolean =>
  isPending(item) || (item.state.kind === 'failed' && !item.state.final);

/** Refusals that pass by themselves. */
const PASSING = new Set<Refusal['kind']>(['count', 'elsewhere']);

/** Failed or refused for a reason that may be gone by now. */
export const canRetry = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  (state.kind === 'failed' && !state.final) || (state.kind === 'refused' && PASSING.has(state.refusal.kind));

/** Share of an upload that is done, 0 to 1. */
export const shareOf = (item: Pick<UploadItem, 'sent' | 'file' | 'state'>): number =>
  item.state.kind === 'done' ? 1 : item.file.size === 0 ? 0 : item.sent / item.file.size;

/** Storage key of the unfinished uploads of `by` for a target. */
export const uploadPlace = (by: string, { owner, orientation, kind }: UploadGoal): (string | number)[] => [
  by,
  owner.id,
  orientation ?? '',
  kind ?? 0,
];

export const itemFingerprint = ({ by, target, name, file }: Pick<UploadItem, 'by' | 'target' | 'name' | 'file'>) =>
  fingerprintOf(uploadPlace(by, target), name, file);

export const sameTarget = (one: UploadGoal, other: UploadGoal): boolean =>
  one.owner.id === other.owner.id && one.orientation === other.orientation && one.kind === other.kind;
