import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { pause } from '../../platform/task.ts';
import { readFrame, warmUp } from './codes.ts';

/** Why there is no picture from the camera. */
export type CameraTrouble = 'refused' | 'missing' | 'busy' | 'insecure' | 'broken';
export type CameraState = { at: 'starting' } | { at: 'live' } | { at: 'off'; why: CameraTrouble };

/** Pause between two scans of the picture, which keeps a phone's CPU cool. */
const LOOK_EVERY = 120;

/** Names of the errors of `getUserMedia` (W3C Media Capture and Streams §10.2). */
const TROUBLES: Partial<Record<string, CameraTrouble>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

async function openCamera(): Promise<MediaStream> {
  const width = { ideal: 1280 };
  return navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: 'environment' }, width } });
}

/**
 * Shows the back camera in `video` and calls back with each text that a code in its picture holds,
 * until the component goes away.
 */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onText: (text: string) => void): CameraState {
  const [state, setState] = useState<CameraState>({ at: 'starting' });
  const tell = useEffectEvent(onText);
  useEffect(() => {
    const stop = new AbortController();
    const show = (next: CameraState) => !stop.signal.aborted && setState(next);
    void run(video, stop.signal, show, (text) => tell(text));
    return () => stop.abort();
  }, [video]);
  return state;
}

async function run(
  video: RefObject<HTMLVideoElement | null>,
  signal: AbortSignal,
  show: (state: CameraState) => void,
  tell: (text: string) => void,
): Promise<void> {
  // The browser has no `mediaDevices` on an address that is not secure.
  if (!window.isSecureContext) return show({ at: 'off', why: 'insecure' });
  try {
    const stream = await openCamera();
    const close = () => stream.getTracks().forEach((track) => track.stop());
    signal.addEventListener('abort', close);
    if (signal.aborted) return close();
    await watch(video.current, stream, signal, show, tell);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const why = TROUBLES[name] ?? 'broken';
    show({ at: 'off', why });
    // Nobody catches this: the app logs it.
    if (why === 'broken') throw error;
  }
}

async function watch(
  video: HTMLVideoElement | null,
  stream: MediaStream,
  signal: AbortSignal,
  show: (state: CameraState) => void,
  tell: (text: string) => void,
): Promise<void> {
  if (!video) return;
  void warmUp();
  video.srcObject = stream;
  await video.play();
  show({ at: 'live' });
  while (!signal.aborted) {
    const texts = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await readFrame(video) : [];
    if (!signal.aborted) texts.forEach(tell);
    await pause(LOOK_EVERY);
  }
}
