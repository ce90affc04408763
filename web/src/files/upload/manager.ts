import { useStore } from 'zustand';
import { session, useSession } from '../../platform/session.ts';
import { isReadable } from '../../platform/transfer/readable.ts';
import type { Transfer, TransferEvents } from '../../platform/transfer/transfer.ts';
import { beginTransfer, discardUpload } from '../../platform/transfer/transport.ts';
import { filesChanged } from '../../queries/files.ts';
import { type UploadItem, isRunning, itemFingerprint } from './item.ts';
import { makeUploads } from './uploads.ts';

function start(item: UploadItem, events: TransferEvents): Transfer {
  const { owner, orientation, kind } = item.target;
  const metadata = {
    name: item.name,
    owner: owner.id,
    ...(orientation && { orientation }),
    ...(kind && { kind: String(kind) }),
  };
  return beginTransfer({ file: item.file, fingerprint: itemFingerprint(item), metadata }, events);
}

/** The uploads of this tab. */
export const uploads = makeUploads({
  start,
  readable: isReadable,
  now: Date.now,
  onDone: () => void filesChanged(),
  discard: (item) => discardUpload(itemFingerprint(item)),
});

session.onEnd(uploads.pauseAll);

/** Closing the tab would end what is being sent: the browser asks first. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
uploads.store.subscribe(() => {
  if (uploads.snapshot().some(isRunning)) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
});

/** The uploads of the account that is logged in. */
export function useUploads(): readonly UploadItem[] {
  const { current } = useSession();
  return useStore(uploads.store).filter((item) => item.by === current?.id);
}
