import { useSyncExternalStore } from 'react';
import { session, useSession } from '../../platform/session.ts';
import { filesChanged } from '../files.api.ts';
import { type UploadItem, isRunning } from './item.ts';
import type { Transfer, TransferEvents } from './transfer.ts';
import { fingerprintOf } from './unfinished.ts';
import { makeUploads } from './uploads.ts';

/** What sends and discards. */
export interface Transport {
  startTransfer: (item: UploadItem, events: TransferEvents) => Transfer;
  discard: (fingerprint: string) => Promise<void>;
}

let transport: Transport | undefined;

/**
 * Called by the upload page, which brings the code of transfers (and of tus) with it: every upload begins
 * there, the rest of the app does without, and a network that goes away later cannot keep that code back.
 */
export function provideTransport(given: Transport): void {
  transport = given;
}

function start(item: UploadItem, events: TransferEvents): Transfer {
  if (!transport) throw new Error('Uploads begin on the upload page');
  return transport.startTransfer(item, events);
}

/** Takes an unfinished upload off the server. */
export const discardUpload = async (fingerprint: string): Promise<void> => transport?.discard(fingerprint);

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
  start,
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
