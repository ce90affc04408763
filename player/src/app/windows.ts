import type { DeviceScreen, Screen } from '@ams/contract';
import type { KeptTime } from '../platform/clock.ts';
import type { Enrolling } from '../sync/enrol.ts';

export interface Now {
  releaseId: string;
  sha256: string;
}

/** `broken`: some of the content of a screen would not play. */
export interface Showing {
  now: Now | null;
  broken: boolean;
}

/** State of a device, apart from playback. */
export type Phase = { kind: 'starting' } | { kind: 'enrolling'; enrolling: Enrolling } | { kind: 'paired' };

type WindowMessage =
  /** A new manifest lies in the database. */
  | { type: 'live' }
  | { type: 'phase'; phase: Phase }
  | ({ type: 'now'; screen: Screen } & Showing)
  | { type: 'suspect'; sha256: string }
  /** The screens of the device, from the window of the main one. */
  | { type: 'screens'; screens: DeviceScreen[] }
  /** The server has corrected the clock. */
  | { type: 'time'; time: KeptTime }
  /** A window has opened and wants to know. */
  | { type: 'hello' }
  | { type: 'restart' }
  /** Every window sends a picture of what it shows. */
  | { type: 'screenshot' };

export interface Windows {
  send(message: Exclude<WindowMessage, { type: 'phase' | 'hello' }>): void;
  /** Sets the phase here and in the other windows, those too that open later. */
  setPhase(phase: Phase): void;
  /** Resolves when this window is the one that syncs; the others wait for it to close. */
  lead(): Promise<void>;
}

export interface WindowEvents {
  onPhase(phase: Phase): void;
  onLive(): Promise<void>;
  onNow(screen: Screen, showing: Showing): void;
  onSuspect(sha256: string): void;
  onScreens(screens: DeviceScreen[]): void;
  onTime(time: KeptTime): void;
  onHello(): void;
  onRestart(): void;
  onScreenshot(): void;
}

/** Joins the windows of this device's browser, one of which syncs for all; in an insecure context each does for itself. */
export function joinWindows(events: WindowEvents): Windows {
  const bus = new BroadcastChannel('ams-player');
  /** Known to the window that syncs. */
  let phase: Phase | undefined;
  const send = (message: WindowMessage) => bus.postMessage(message);

  bus.addEventListener('message', ({ data }: MessageEvent<WindowMessage>) => {
    switch (data.type) {
      case 'live':
        return void events.onLive();
      case 'phase':
        return events.onPhase(data.phase);
      case 'now':
        return events.onNow(data.screen, data);
      case 'suspect':
        return events.onSuspect(data.sha256);
      case 'screens':
        return events.onScreens(data.screens);
      case 'time':
        return events.onTime(data.time);
      case 'hello':
        if (phase) send({ type: 'phase', phase });
        return events.onHello();
      case 'restart':
        return events.onRestart();
      case 'screenshot':
        return events.onScreenshot();
    }
  });
  send({ type: 'hello' });

  return {
    send,
    setPhase(next) {
      phase = next;
      events.onPhase(next);
      send({ type: 'phase', phase: next });
    },
    lead: () =>
      new Promise((resolve) => {
        if (!navigator.locks) return resolve();
        // Held until the window closes.
        void navigator.locks.request('ams-sync', () => {
          resolve();
          return new Promise(() => undefined);
        });
      }),
  };
}
