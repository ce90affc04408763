import type { CDPSession } from '@playwright/test';

/** Goals in bytes: script and style that a page needs, compressed, with their headers. */
export const WEIGHT_GOALS = { login: 150_000, home: 220_000 };

/** Counts the bytes of script and style that come over the wire from now on. */
export async function weigh(cdp: CDPSession): Promise<() => number> {
  const kinds = new Map<string, string>();
  let bytes = 0;
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (/^(Script|Stylesheet)$/.test(kinds.get(requestId) ?? '')) bytes += encodedDataLength;
  });
  return () => bytes;
}
