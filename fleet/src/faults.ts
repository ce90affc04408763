import type { Clock } from '../../player/src/platform/clock.ts';
import type { PlayerApi, Socket } from '../../player/src/sync/ports.ts';

/** Sockets that close by themselves after 0.5 to 1.5 times `flapMs`. */
export function flapping<S extends Socket>(open: () => S, flapMs: number, clock: Clock): () => S {
  return () => {
    const socket = open();
    const closed = new AbortController();
    socket.addEventListener('close', () => closed.abort());
    void clock.sleep(flapMs * (0.5 + clock.random()), closed.signal).then(() => socket.close());
    return socket;
  };
}

/** Lets so many bytes a second through, whoever asks. */
function makeLine(bytesPerSecond: number, clock: Clock) {
  let freeAt = 0;
  return async function carry(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1000;
    await clock.sleep(freeAt - now, signal);
    signal.throwIfAborted();
  };
}

/** Downloads over a line of `bytesPerSecond`, which one machine's downloads share. */
export function slowed(api: PlayerApi, bytesPerSecond: number, clock: Clock): PlayerApi {
  const carry = makeLine(bytesPerSecond, clock);

  async function* paced(body: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    for await (const chunk of body) {
      // Pieces of at most a second, so that a slow line does not look like one that stalls.
      for (let at = 0; at < chunk.byteLength; at += bytesPerSecond) {
        const piece = chunk.subarray(at, at + bytesPerSecond);
        await carry(piece.byteLength, signal);
        yield piece;
      }
    }
  }

  return {
    ...api,
    async media(url, headers, signal) {
      const response = await api.media(url, headers, signal);
      if (!response.ok || !response.body) return response;
      const { status, headers: answered } = response;
      return new Response(ReadableStream.from(paced(response.body, signal)), { status, headers: answered });
    },
  };
}
