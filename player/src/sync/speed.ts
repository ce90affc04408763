import type { PlayerApi } from './ports.ts';

const AT_MOST_MS = 6000;

/**
 * Bits a second that the server's biggest file comes with, by reading it for some seconds and keeping nothing.
 * Undefined when there is no file to read; rejects without an answer.
 */
export async function measureSpeed(
  api: Pick<PlayerApi, 'manifest' | 'media'>,
  outer: AbortSignal,
): Promise<number | undefined> {
  const reply = await api.manifest(null);
  if (reply.kind !== 'fresh') throw new Error(`no manifest: ${reply.kind}`);
  const biggest = reply.manifest.files.toSorted((a, b) => b.bytes - a.bytes)[0];
  if (!biggest) return undefined;
  const signal = AbortSignal.any([outer, AbortSignal.timeout(AT_MOST_MS)]);
  const startedAt = performance.now();
  const response = await api.media(biggest.url, {}, signal);
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  let bytes = 0;
  const reader = response.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.byteLength;
  } catch (error) {
    if (bytes === 0) throw error;
  }
  return (bytes * 8 * 1000) / Math.max(1, performance.now() - startedAt);
}
