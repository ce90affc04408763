import type { Sending, Transfer, TransferEvents } from './transfer.ts';

/** How uploads are sent, taken off the server, and looked for there. */
export interface Transport {
  startTransfer: (sending: Sending, events: TransferEvents) => Transfer;
  discard: (fingerprint: string) => Promise<void>;
  lookUp: (fingerprint: string) => Promise<boolean>;
}

let transport: Transport | undefined;

/**
 * Called by the pages where uploads begin, which bring the code of transfers (and of tus) with them: the rest
 * of the app does without, and a network that goes away later cannot keep that code back.
 */
export function provideTransport(given: Transport): void {
  transport = given;
}

export function beginTransfer(sending: Sending, events: TransferEvents): Transfer {
  if (!transport) throw new Error('Uploads begin on a page that provides their transport');
  return transport.startTransfer(sending, events);
}

/** Takes an unfinished upload off the server. */
export const discardUpload = async (fingerprint: string): Promise<void> => transport?.discard(fingerprint);

/** Whether an unfinished upload turns out to be done at the server; what arrived of it is noted. */
export const lookUpUpload = async (fingerprint: string): Promise<boolean> =>
  (await transport?.lookUp(fingerprint)) === true;
