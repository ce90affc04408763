import type { CDPSession } from '@playwright/test';

interface Weight {
  script: number;
  style: number;
}

/** Most bytes that the first visit of a page loads, compressed, with their headers. */
export const WEIGHT_LIMITS = {
  login: { script: 140_000, style: 6000 },
  /** With its charts, which are loaded when they come into view and take 22 kB of script. */
  home: { script: 190_000, style: 10_000 },
  devices: { script: 220_000, style: 15_000 },
} satisfies Record<string, Weight>;

/** Counts the bytes of script and style that come over the wire from now on. */
export async function weigh(cdp: CDPSession): Promise<() => Weight> {
  const kinds = new Map<string, string>();
  const bytes = { Script: 0, Stylesheet: 0 };
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind === 'Script' || kind === 'Stylesheet') bytes[kind] += encodedDataLength;
  });
  return () => ({ script: bytes.Script, style: bytes.Stylesheet });
}
