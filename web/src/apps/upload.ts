import { APP_FORMATS, APP_UPLOAD_KIND, type App, extensionOf } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { create } from 'zustand';
import { contractMessages } from '../platform/i18n.ts';
import { session } from '../platform/session.ts';
import { type Pace, nextPace, startPace } from '../platform/transfer/pace.ts';
import { isFinal } from '../platform/transfer/retry.ts';
import type { Transfer } from '../platform/transfer/transfer.ts';
import { beginTransfer, discardUpload } from '../platform/transfer/transport.ts';
import { fingerprintOf } from '../platform/transfer/unfinished.ts';
import { formatBytes } from '../ui/format/format.ts';
import { appAdded, loadUploadedApp } from '../queries/apps.ts';
import type { AppForm } from './AppFields.tsx';

/** The one APK that this tab sends. */
export type ApkUpload =
  | { kind: 'none' }
  /** `sent` bytes are on their way; all of them: the server reads the APK. */
  | { kind: 'sending'; file: File; sent: number; pace: Pace; interrupted: boolean }
  | { kind: 'paused'; file: File; sent: number }
  /** Why it ended; resumable ones were only interrupted. */
  | { kind: 'failed'; file: File; message: string; mayGoOn: boolean }
  | { kind: 'done'; app: App };

/** Why a file is not even sent, or undefined. */
function refusalOf(file: File, maxBytes: number): string | undefined {
  const { errors } = contractMessages();
  if (!APP_FORMATS.some((format) => format === extensionOf(file.name))) {
    return fillMessage(errors.UNSUPPORTED_FORMAT, { t: [...APP_FORMATS] });
  }
  if (file.size === 0) return errors.NOT_AN_APK;
  if (file.size > maxBytes) return fillMessage(errors.TOO_LARGE, { limit: formatBytes(i18next.language, maxBytes) });
  return undefined;
}

/** Storage key of a user's unfinished uploads. */
export const apkPlace = (by: string): string[] => [by, APP_UPLOAD_KIND];

export const apkFingerprint = (by: string, file: File): string => fingerprintOf(apkPlace(by), file.name, file);

const currentUser = (): string => session.snapshot().current?.id ?? '';

/** Lives outside the page: going elsewhere in the app changes nothing. */
function makeApkUpload() {
  const store = create<ApkUpload>(() => ({ kind: 'none' }));
  const now = store.getState;
  const set = (next: ApkUpload) => store.setState(next, true);
  let transfer: Transfer | undefined;
  /** A file that the server has whole, and the version that it made of it. */
  let arrived: { file: File; id: string } | undefined;
  /** The description of the version as far as it was typed. */
  let about: AppForm | undefined;
  let turn = 0;

  const begin = (file: File, sent: number) =>
    set({ kind: 'sending', file, sent, pace: startPace(Date.now(), sent), interrupted: false });

  const halt = () => {
    turn += 1;
    transfer?.stop();
    transfer = undefined;
  };

  const finish = async (file: File, id: string) => {
    halt();
    const own = turn;
    arrived = { file, id };
    const answer = await loadUploadedApp(id);
    // It was stopped meanwhile, or another account has logged in.
    if (own !== turn) return;
    if (answer.error !== undefined) {
      if (answer.error === 'NOT_FOUND') arrived = undefined;
      return set({ kind: 'failed', file, message: answer.message, mayGoOn: true });
    }
    set({ kind: 'done', app: answer.data });
    await appAdded();
  };

  const start = (file: File, sent: number) => {
    halt();
    arrived = undefined;
    const fingerprint = apkFingerprint(currentUser(), file);
    const metadata = { kind: APP_UPLOAD_KIND, filename: file.name };
    begin(file, sent);
    transfer = beginTransfer(
      { file, fingerprint, metadata },
      {
        onProgress: (sentNow) => {
          const state = now();
          if (state.kind !== 'sending') return;
          const pace = state.interrupted ? startPace(Date.now(), sentNow) : nextPace(state.pace, Date.now(), sentNow);
          set({ kind: 'sending', file, sent: sentNow, pace, interrupted: false });
        },
        onInterrupted: () => {
          const state = now();
          if (state.kind === 'sending') set({ ...state, interrupted: true });
        },
        onDone: (id) => void finish(file, id),
        onFailed: (failure) => set({ kind: 'failed', file, message: failure.message, mayGoOn: !isFinal(failure) }),
        onUnreadable: () =>
          set({ kind: 'failed', file, message: i18next.t('refusedUnreadable', { ns: 'files' }), mayGoOn: true }),
        onElsewhere: () => set({ kind: 'failed', file, message: i18next.t('uploadedElsewhere'), mayGoOn: true }),
      },
    );
  };

  const goOn = () => {
    const state = now();
    if (state.kind !== 'paused' && !(state.kind === 'failed' && state.mayGoOn)) return;
    const { file } = state;
    if (arrived?.file !== file) return start(file, state.kind === 'paused' ? state.sent : 0);
    begin(file, file.size);
    void finish(file, arrived.id);
  };

  const pause = () => {
    const state = now();
    if (state.kind !== 'sending') return;
    halt();
    set({ kind: 'paused', file: state.file, sent: state.sent });
  };

  /** Ends it and forgets what arrived. */
  const stop = () => {
    const state = now();
    halt();
    if (state.kind === 'sending' || state.kind === 'paused') {
      void discardUpload(apkFingerprint(currentUser(), state.file));
    }
    set({ kind: 'none' });
  };

  return {
    store,
    /** Uploads a file; `maxBytes` is the installation's limit. Bytes that the server already has are not sent again. */
    choose(file: File, maxBytes: number): void {
      const message = refusalOf(file, maxBytes);
      if (message === undefined) return start(file, 0);
      set({ kind: 'failed', file, message, mayGoOn: false });
    },
    pause,
    /** Goes on from what arrived. */
    goOn,
    stop,
    /** The text typed about the version, also while another page is shown; undefined when there is none. */
    about: (): AppForm | undefined => about,
    keepAbout(typed: AppForm | undefined): void {
      about = typed;
    },
    /** The session ended: uploads stop, and the next account does not see them. */
    leave(): void {
      halt();
      about = undefined;
      set({ kind: 'none' });
    },
  };
}

export const apkUpload = makeApkUpload();

session.onEnd(apkUpload.leave);

/** Closing the tab would end what is being sent: the browser asks first. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
apkUpload.store.subscribe(() => {
  if (apkUpload.store.getState().kind === 'sending') window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
});

export const useApkUpload = (): ApkUpload => apkUpload.store();
