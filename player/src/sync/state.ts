import type { Manifest, ManifestFile } from '@ams/contract';
import type { Progress } from './fill.ts';
import type { Live } from '../store/ports.ts';
import { isWithTakeovers, withTakeovers, withoutContent } from './takeover.ts';
import { withoutProgrammes, withoutReleases } from './withdrawn.ts';

/** State of the downloads of the newest manifest. */
export type FilesState =
  /** Nothing: no manifest is known, or all its files are on disk. */
  | { kind: 'idle' }
  /** Something is missing and addresses that are still good are needed: the manifest is asked for afresh. */
  | { kind: 'stale' }
  /** The files of `goal` are being fetched. `isStale`: meanwhile the manifest is asked for afresh all the same. */
  | { kind: 'filling'; goal: Live; isStale: boolean }
  /** Every file is being deleted. */
  | { kind: 'clearing' };

/**
 * The request for the manifest. `isTold`: the server announced another manifest, so only a whole one is an
 * answer; a server process without the announcement would take the one held here for the newest. `failures`:
 * questions without an answer since the last one that had one.
 */
export type Question =
  | { kind: 'waiting'; isTold: boolean; failures: number }
  /** Since the question was sent: `isToldAgain` of another manifest, `isOvertaken` by the start or end of a takeover. */
  | { kind: 'asking'; isTold: boolean; isToldAgain: boolean; isOvertaken: boolean; failures: number };

export interface SyncState {
  /** Whether files can be stored; otherwise a manifest plays at once and streams. */
  readonly hasStore: boolean;
  /** The manifest that plays. */
  readonly live: Live | undefined;
  /** The newest manifest that the server has sent. */
  readonly target: Live | undefined;
  readonly files: FilesState;
  readonly question: Question;
  readonly progress: Progress;
  /** Files of `live` that would not play although every byte is right. */
  readonly sound: ReadonlySet<string>;
  /** How many times in a row the addresses of a manifest were refused. */
  readonly refusals: number;
  /** Version of the manifest with added takeovers whose files were refused or did not come last, until a manifest is whole. */
  readonly refusedFirst: string | undefined;
}

export type SyncEvent =
  /** A run begins with what the last one kept. `isComplete`: it can play as it is. */
  | { type: 'begun'; live: Live | undefined; isComplete: boolean }
  | { type: 'ended' }
  | { type: 'asked' }
  /** `isMissing`: not all of its files are on disk. */
  | { type: 'fresh'; next: Live; isMissing: boolean }
  | { type: 'same' }
  | { type: 'unanswered' }
  /** The server has a manifest of this version, or nobody knows (undefined). */
  | { type: 'told'; version: string | undefined }
  /** The server pushed takeovers with their files. */
  | { type: 'tookOver'; takeovers: Pick<Manifest, 'screens' | 'files'> }
  /** A takeover has ended. */
  | { type: 'takenBack'; releaseId: string }
  | { type: 'online' }
  | { type: 'retry' }
  | { type: 'clear' }
  | { type: 'cleared' }
  | { type: 'progress'; progress: Progress }
  /** All files of a manifest are on disk, and the manifest is kept. */
  | { type: 'filled'; goal: Live }
  /** Its addresses are no longer good, or files that it needs are not there or, of takeovers, did not come. */
  | { type: 'refused' }
  /** The storage failed while files were fetched or deleted. */
  | { type: 'storageFailed' }
  /** A file would not play or is not there. */
  | { type: 'suspected'; sha256: string }
  | { type: 'checked'; file: ManifestFile; found: 'sound' | 'damaged' | 'missing' }
  /** The browser has cleared what it stored. */
  | { type: 'filesGone' };

/** Effects to execute, in this order. */
export type SyncEffect =
  | { type: 'keep'; live: Live }
  | { type: 'play'; live: Live }
  | { type: 'report'; progress: Progress }
  /** Fetches what is missing, instead of what was being fetched before. */
  | { type: 'fill'; goal: Live }
  /** Stops fetching and deletes every file. */
  | { type: 'deleteAll' }
  | { type: 'check'; file: ManifestFile }
  | { type: 'drop'; sha256: string }
  /** Asks for the manifest now. */
  | { type: 'ask' }
  /** Resumes fetching now if it is waiting. */
  | { type: 'goOnFilling' };

export interface Step {
  state: SyncState;
  effects: readonly SyncEffect[];
}

export const initialState = (hasStore: boolean): SyncState => ({
  hasStore,
  live: undefined,
  target: undefined,
  files: { kind: 'idle' },
  question: { kind: 'waiting', isTold: false, failures: 0 },
  progress: { manifestVersion: undefined, download: { state: 'waiting', doneBytes: 0, totalBytes: 0 } },
  sound: new Set(),
  refusals: 0,
  refusedFirst: undefined,
});

/** Whether the manifest must be asked for afresh, as its signed addresses may no longer be good. */
function isStale(files: FilesState): boolean {
  switch (files.kind) {
    case 'idle':
      return false;
    case 'stale':
    case 'clearing':
      return true;
    case 'filling':
      return files.isStale;
  }
}

function toStale(files: FilesState): FilesState {
  switch (files.kind) {
    case 'idle':
    case 'stale':
      return { kind: 'stale' };
    case 'filling':
      return { ...files, isStale: true };
    case 'clearing':
      return files;
  }
}

/** The ETag for the next question; null asks for the whole manifest. */
export const etagOf = ({ question, files, hasStore, target }: SyncState): string | null =>
  question.isTold || isStale(files) || !hasStore ? null : (target?.etag ?? null);

const done = ({ manifest: { version, files } }: Live): Progress => {
  const totalBytes = [...new Map(files.map((file) => [file.sha256, file.bytes])).values()].reduce((a, b) => a + b, 0);
  return { manifestVersion: version, download: { state: 'done', doneBytes: totalBytes, totalBytes, reason: null } };
};

const report = (state: SyncState, progress: Progress): Step => ({
  state: { ...state, progress },
  effects: [{ type: 'report', progress }],
});

const stay = (state: SyncState, ...effects: SyncEffect[]): Step => ({ state, effects });

function begin(state: SyncState, { live, isComplete }: Extract<SyncEvent, { type: 'begun' }>): Step {
  const isClearing = state.files.kind === 'clearing';
  const files: FilesState = isClearing ? state.files : { kind: !live || isComplete ? 'idle' : 'stale' };
  const begun = { ...state, live, target: live, files };
  if (!live) return stay(begun);
  const { state: next, effects } = isComplete ? report(begun, done(live)) : stay(begun);
  return { state: next, effects: [{ type: 'play', live }, ...effects] };
}

/** Nothing is fetched any more. */
const end = (state: SyncState): Step =>
  stay(state.files.kind === 'filling' ? { ...state, files: { kind: 'stale' } } : state);

const isNewsOpen = (question: Question): boolean =>
  question.isTold || (question.kind === 'asking' && question.isToldAgain);

const send = (question: Question): Question => ({
  kind: 'asking',
  isTold: isNewsOpen(question),
  isToldAgain: false,
  isOvertaken: false,
  failures: question.failures,
});

/** The request was answered. Notifications that arrived during it are repeated. */
function answer({ question }: SyncState, isAnswered: boolean): Question {
  if (!isAnswered) return { kind: 'waiting', isTold: isNewsOpen(question), failures: question.failures + 1 };
  return { kind: 'waiting', isTold: question.kind === 'asking' && question.isToldAgain, failures: 0 };
}

/** Whether a manifest is that of another device than the one that plays: this device was deleted and paired again. */
export const isOfAnother = (playing: Manifest | undefined, { device }: Manifest): boolean =>
  playing !== undefined && playing.device.id !== device.id;

/** What may stay on the screens of the manifest that plays until the next one is whole; undefined: all of it. */
function remainder(playing: Manifest, next: Manifest): Manifest | undefined {
  if (isOfAnother(playing, next)) return withoutProgrammes({ ...next, files: playing.files });
  return withoutReleases(playing, next.withdrawn);
}

/** Releases that were taken back leave the screen before what comes instead is whole, and all those of another device. */
function withdraw(state: SyncState, { next, isMissing }: Extract<SyncEvent, { type: 'fresh' }>): Step {
  const rest = state.live && remainder(state.live.manifest, next.manifest);
  if (!rest || !isMissing || !state.hasStore) return stay(state);
  // Without its tag: after a restart the whole manifest is asked for again.
  const live = { manifest: rest, etag: null };
  return stay({ ...state, live }, { type: 'keep', live }, { type: 'play', live });
}

/**
 * The present programmes with new takeovers: they come before everything else that a manifest brings. While nothing plays
 * yet, takeovers alone, with the settings of `coming`.
 */
function withNew(
  live: Live | undefined,
  coming: Live | undefined,
  from: Pick<Manifest, 'screens' | 'files'>,
): Live | undefined {
  const present = live?.manifest ?? (coming && withoutContent(coming.manifest));
  const manifest = present && withTakeovers(present, from);
  // Without a tag: the manifest that the server makes with them is asked for as a whole.
  return manifest && { manifest, etag: null };
}

/** The answer to a question that was sent may have been made without a takeover that begins now, or with one that ends. */
const overtake = (state: SyncState): SyncState =>
  state.question.kind === 'asking' ? { ...state, question: { ...state.question, isOvertaken: true } } : state;

/** Fetches what takeovers lack, then whatever else was being fetched. */
function takeOver(state: SyncState, takeovers: Pick<Manifest, 'screens' | 'files'>): Step {
  if (!state.live && !state.target) return stay(state, { type: 'ask' });
  const goal = withNew(state.live, state.target, takeovers);
  if (!goal || state.files.kind === 'clearing') return stay(state);
  const files: FilesState = { kind: 'filling', goal, isStale: state.files.kind !== 'idle' };
  return stay({ ...state, target: goal, files }, { type: 'fill', goal });
}

/** A takeover leaves the screens at once, or does not begin. */
function takeBack(state: SyncState, releaseId: string): Step {
  const without = (live: Live): Live => {
    const manifest = withoutReleases(live.manifest, [releaseId]);
    return manifest ? { manifest, etag: null } : live;
  };
  const live = state.live && without(state.live);
  const target = state.target && without(state.target);
  const effects: SyncEffect[] = [];
  if (live && live !== state.live) effects.push({ type: 'keep', live }, { type: 'play', live });
  // The target is being fetched.
  if (state.files.kind !== 'filling' || !target || target === state.target) {
    return { state: { ...state, live, target }, effects };
  }
  const files: FilesState = { ...state.files, goal: target };
  return { state: { ...state, live, target, files }, effects: [...effects, { type: 'fill', goal: target }] };
}

function hearManifest(state: SyncState, event: Extract<SyncEvent, { type: 'fresh' }>): Step {
  const { next } = event;
  if (state.question.kind === 'asking' && state.question.isOvertaken) {
    return stay({ ...state, question: { kind: 'waiting', isTold: true, failures: 0 } }, { type: 'ask' });
  }
  const { state: shown, effects } = withdraw(state, event);
  const heard = { ...shown, target: next, question: answer(state, true) };
  const isKnown = state.target?.manifest.version === next.manifest.version;
  // Without a store the addresses are what plays, so newer ones are always better.
  const isNeeded = !isKnown || isStale(state.files) || !state.hasStore;
  if (!isNeeded || state.files.kind === 'clearing') return { state: heard, effects };
  const first = event.isMissing ? withNew(shown.live, next, next.manifest) : undefined;
  // If the files of takeovers are refused or do not come, everything else must not wait for them.
  const isFirst = first !== undefined && first.manifest.version !== state.refusedFirst;
  const goal = isFirst ? first : next;
  const files: FilesState = { kind: 'filling', goal, isStale: isFirst };
  return { state: { ...heard, target: goal, files }, effects: [...effects, { type: 'fill', goal }] };
}

function hearNews(state: SyncState, version: string | undefined): Step {
  if (version !== undefined && version === state.target?.manifest.version) return stay(state);
  const { question } = state;
  const isTold = version !== undefined;
  const heard: Question =
    question.kind === 'asking'
      ? { ...question, isToldAgain: question.isToldAgain || isTold }
      : { ...question, isTold: question.isTold || isTold };
  return stay({ ...state, question: heard }, { type: 'ask' });
}

function playWhole(state: SyncState, goal: Live): Step {
  const { files } = state;
  const isCurrent = files.kind === 'filling' && files.goal === goal;
  const after: FilesState = isCurrent ? { kind: files.isStale ? 'stale' : 'idle' } : files;
  const playing = {
    ...state,
    live: goal,
    files: after,
    refusals: 0,
    refusedFirst: undefined,
    sound: new Set<string>(),
  };
  const { state: next, effects } = report(playing, done(goal));
  const rest: SyncEffect[] = isCurrent && files.isStale ? [{ type: 'ask' }] : [];
  return { state: next, effects: [{ type: 'play', live: goal }, ...effects, ...rest] };
}

function refuse(state: SyncState): Step {
  if (state.files.kind !== 'filling') return stay(state);
  const { manifest } = state.files.goal;
  const refusedFirst = isWithTakeovers(manifest) ? manifest.version : state.refusedFirst;
  return stay({ ...state, files: { kind: 'stale' }, refusals: state.refusals + 1, refusedFirst }, { type: 'ask' });
}

function failStorage(state: SyncState): Step {
  const { files, progress } = state;
  const manifestVersion = files.kind === 'filling' ? files.goal.manifest.version : progress.manifestVersion;
  const failed: Progress = { manifestVersion, download: { ...progress.download, state: 'failed', reason: 'storage' } };
  // The manifest is asked for again at the next poll.
  return report({ ...state, files: { kind: 'stale' } }, failed);
}

/** A file on disk is missing or damaged: reports it and fetches it again. */
function repair(state: SyncState, reason: 'checksum' | 'storage', bytes: number): Step {
  const { live, progress } = state;
  if (!live) return stay(state);
  const { doneBytes, totalBytes } = progress.download;
  const download = { state: 'failed' as const, doneBytes: Math.max(0, doneBytes - bytes), totalBytes, reason };
  const failed = { manifestVersion: live.manifest.version, download };
  const step = report({ ...state, files: toStale(state.files) }, failed);
  return { ...step, effects: [...step.effects, { type: 'ask' }] };
}

/** The file to look at. What is missing while files come is missing for their sake. */
function suspect(state: SyncState, sha256: string): Step {
  const file = state.live?.manifest.files.find((entry) => entry.sha256 === sha256);
  const isBusy = state.files.kind === 'filling' || state.files.kind === 'clearing';
  if (!file || !state.hasStore || isBusy || state.sound.has(sha256)) return stay(state);
  return stay(state, { type: 'check', file });
}

function judge(state: SyncState, { file, found }: Extract<SyncEvent, { type: 'checked' }>): Step {
  if (found === 'sound') return stay({ ...state, sound: new Set([...state.sound, file.sha256]) });
  const { state: next, effects } = repair(state, found === 'damaged' ? 'checksum' : 'storage', file.bytes);
  return { state: next, effects: [{ type: 'drop', sha256: file.sha256 }, ...effects] };
}

/** Whether stored files may have been deleted silently; only checked if no others are missing. */
export const mayLoseFiles = ({ hasStore, live, files }: SyncState): boolean =>
  hasStore && live !== undefined && !live.manifest.expired && files.kind === 'idle';

/** Applies an event to a state and returns the next state with its effects. */
export function transition(state: SyncState, event: SyncEvent): Step {
  switch (event.type) {
    case 'begun':
      return begin(state, event);
    case 'ended':
      return end(state);
    case 'asked':
      return stay({ ...state, question: send(state.question) });
    case 'fresh':
      return hearManifest(state, event);
    case 'same':
      return stay({ ...state, question: answer(state, true) });
    case 'unanswered':
      // Nothing can be reached: that the files of takeovers did not come says nothing about them.
      return stay({ ...state, refusedFirst: undefined, question: answer(state, false) });
    case 'told':
      return hearNews(state, event.version);
    case 'tookOver':
      return takeOver(overtake(state), event.takeovers);
    case 'takenBack':
      return takeBack(overtake(state), event.releaseId);
    case 'online': {
      const isWaiting = state.question.failures > 0 || isStale(state.files);
      return stay(state, { type: 'goOnFilling' }, ...(isWaiting ? [{ type: 'ask' as const }] : []));
    }
    case 'retry':
      return stay({ ...state, refusedFirst: undefined, files: toStale(state.files) }, { type: 'ask' });
    case 'clear':
      if (state.files.kind === 'clearing') return stay(state);
      return stay({ ...state, files: { kind: 'clearing' } }, { type: 'deleteAll' });
    case 'cleared':
      return stay({ ...state, files: { kind: 'stale' } }, { type: 'ask' });
    case 'progress':
      return report(state, event.progress);
    case 'filled':
      return playWhole(state, event.goal);
    case 'refused':
      return refuse(state);
    case 'storageFailed':
      return failStorage(state);
    case 'suspected':
      return suspect(state, event.sha256);
    case 'checked':
      return judge(state, event);
    case 'filesGone':
      return mayLoseFiles(state) ? repair(state, 'storage', state.progress.download.totalBytes) : stay(state);
  }
}
