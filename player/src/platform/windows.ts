import type { Enrolling } from '../sync/enrol.ts';

export interface Now {
  releaseId: string;
  sha256: string;
}

/** What a machine is doing, apart from what it plays. */
export type Phase = { kind: 'starting' } | { kind: 'enrolling'; enrolling: Enrolling } | { kind: 'paired' };

/** Between the windows of one machine: one of them syncs for all. */
export type WindowMessage =
  /** A new manifest lies in the database. */
  | { type: 'live' }
  | { type: 'phase'; phase: Phase }
  | { type: 'now'; screen: 'main' | 'secondary'; now: Now | null }
  /** A window has opened and wants to know. */
  | { type: 'hello' }
  | { type: 'restart' };

export interface Windows {
  send(message: WindowMessage): void;
  /** Resolves when this window is the one that syncs; the others wait for it to close. */
  lead(): Promise<void>;
}

/** Joins the windows of this machine's browser; in an insecure context each works for itself. */
export function joinWindows(onMessage: (message: WindowMessage) => void): Windows {
  const bus = new BroadcastChannel('ams-player');
  bus.addEventListener('message', ({ data }: MessageEvent<WindowMessage>) => onMessage(data));
  return {
    send: (message) => bus.postMessage(message),
    lead: () =>
      new Promise((resolve) => {
        if (!navigator.locks) return resolve();
        // Held for as long as the window lives.
        void navigator.locks.request('ams-sync', () => {
          resolve();
          return new Promise(() => undefined);
        });
      }),
  };
}
