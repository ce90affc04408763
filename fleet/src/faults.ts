import type { Clock } from '@ams/player/clock';
import { type MediaStore, type Part, StorageError } from '@ams/player/store';
import type { PlayerApi, Socket } from '@ams/player/ports';

/** Injected faults of a device. The player's own code handles and reports them. */
export interface Faults {
  /** About how often it loses its connection; milliseconds. */
  flapMs?: number | undefined;
  /** Download speed in bytes per second. */
  slowBytes?: number | undefined;
  /** Percentage of downloads with one corrupted byte. */
  corruptPercent?: number | undefined;
  /** Bytes that its disk takes. */
  diskBytes?: number | undefined;
  /** How far its own clock is ahead, or behind when negative; milliseconds. */
  clockSkewMs?: number | undefined;
}

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

type Chunks = AsyncIterable<Uint8Array>;

/** Downloads whose bytes pass through `change` on their way. */
const through = (api: PlayerApi, change: (body: Chunks, signal: AbortSignal) => Chunks): PlayerApi => ({
  ...api,
  async media(url, headers, signal) {
    const response = await api.media(url, headers, signal);
    if (!response.ok || !response.body) return response;
    const { status, headers: answered } = response;
    return new Response(ReadableStream.from(change(response.body, signal)), { status, headers: answered });
  },
});

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

/** Downloads over a line of `bytesPerSecond`, which one device's downloads share. */
function slowed(api: PlayerApi, bytesPerSecond: number, clock: Clock): PlayerApi {
  const carry = makeLine(bytesPerSecond, clock);
  return through(api, async function* paced(body, signal) {
    for await (const chunk of body) {
      // Pieces of at most a second, so that a slow line does not look like one that stalls.
      for (let at = 0; at < chunk.byteLength; at += bytesPerSecond) {
        const piece = chunk.subarray(at, at + bytesPerSecond);
        await carry(piece.byteLength, signal);
        yield piece;
      }
    }
  });
}

/** Downloads of which so many of a hundred come with their first byte turned. */
const corrupted = (api: PlayerApi, percent: number, clock: Clock): PlayerApi =>
  through(api, async function* turned(body) {
    let isWrong = clock.random() * 100 < percent;
    for await (const chunk of body) {
      const [first] = chunk;
      yield isWrong && first !== undefined ? Uint8Array.of(first ^ 0xff, ...chunk.subarray(1)) : chunk;
      isWrong = false;
    }
  });

/** A device's calls with what is wrong with its line. */
export function faultyApi(sound: PlayerApi, { slowBytes, corruptPercent }: Faults, clock: Clock): PlayerApi {
  const api = corruptPercent === undefined ? sound : corrupted(sound, corruptPercent, clock);
  return slowBytes === undefined ? api : slowed(api, slowBytes, clock);
}

/** A storage on a disk that takes `diskBytes` and then refuses, as a full one does. */
export function faultyStore(store: MediaStore, { diskBytes }: Faults): MediaStore {
  if (diskBytes === undefined) return store;
  const freeBytes = async () => {
    const used = (await store.list()).reduce((sum, { bytes }) => sum + bytes, 0);
    return Math.max(0, diskBytes - used);
  };
  const cramped = (part: Part): Part => ({
    get bytes() {
      return part.bytes;
    },
    async append(chunk) {
      if (chunk.byteLength > (await freeBytes())) throw new StorageError('diskFull');
      await part.append(chunk);
    },
    restart: () => part.restart(),
    digest: () => part.digest(),
    commit: () => part.commit(),
    discard: () => part.discard(),
    close: () => part.close(),
  });
  return { ...store, freeBytes, openPart: async (sha256) => cramped(await store.openPart(sha256)) };
}
