import { useSyncExternalStore } from 'react';
import { session, useSession } from '../../platform/session.ts';
import { filesChanged } from '../files.api.ts';
import { type UploadItem, isRunning } from './item.ts';
import type { Transfer, TransferEvents } from './transfer.ts';
import { fingerprintOf } from './unfinished.ts';
import { makeUploads } from './uploads.ts';

/** Starts a transfer as soon as its code (and that of tus) has come. */
function startLazily(item: UploadItem, events: TransferEvents): Transfer {
  let stopped = false;
  const started = import('./transfer.ts').then(({ startTransfer }) =>
    stopped ? undefined : startTransfer(item, events),
  );
  started.catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'Network Error';
    if (!stopped) events.onFailed({ code: 0, error: 'NETWORK', message });
  });
  return {
    stop: () => {
      stopped = true;
      void started.then((transfer) => transfer?.stop()).catch(() => undefined);
    },
  };
}

/** Takes an unfinished upload off the server. */
export async function discardUpload(fingerprint: string): Promise<void> {
  const { discard } = await import('./transfer.ts');
  await discard(fingerprint);
}

/** A file in a cloud folder, or one deleted meanwhile, is listed but cannot be read. */
const readable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** The uploads of this tab. */
export const uploads = makeUploads({
  start: startLazily,
  readable,
  now: Date.now,
  onDone: () => void filesChanged(),
  discard: (item) => discardUpload(fingerprintOf(item.by, item.target, item.name, item.file)),
});

session.subscribe(() => {
  if (!session.snapshot().signedIn) uploads.pauseAll();
});

/** Closing the tab would end what is being sent: the browser asks first. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
uploads.subscribe(() => {
  if (uploads.snapshot().some(isRunning)) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
});

/** The uploads of whoever is signed in. */
export function useUploads(): readonly UploadItem[] {
  const { current } = useSession();
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot).filter((item) => item.by === current?.id);
}
