import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';

const LOOK_EVERY_MS = 1000;
const CHUNK_BYTES = 2 ** 20;
/** The disk counts as full when less than this share of the ballast is free beside it. */
const LOW_SHARE = 4;

/**
 * Free space on the disk of the embedded database. A file without meaning, the ballast, takes part of it. When the disk is
 * nearly full, the ballast is given up: in its space PostgreSQL recovers, and what frees space can be done, while
 * everything that needs space is refused. When there is space again, the ballast is made anew.
 */
export class DiskSpace {
  readonly #folder: string;
  readonly #ballastBytes: number;
  readonly #log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  #isFull = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param ballastBytes 0: there is no ballast, and the disk is never called full before it is */
  constructor(folder: string, ballastBytes: number, log: Pick<FastifyBaseLogger, 'warn' | 'info'>) {
    this.#folder = folder;
    this.#ballastBytes = ballastBytes;
    this.#log = log;
  }

  /** Whether only what frees space may be done. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Looks at the disk from now on, each second. */
  async start(): Promise<void> {
    if (this.#ballastBytes === 0 || this.#isStopped) return;
    await this.look();
    this.#timer = setTimeout(() => void this.start(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Takes or gives up the ballast by what is free now. */
  async look(): Promise<void> {
    try {
      const [free, held] = await Promise.all([this.#free(), this.#held()]);
      const low = this.#ballastBytes / LOW_SHARE;
      if (free < low) await this.release();
      // Twice the limit: what is freed and used up at once must not turn the switch back and forth.
      else if (free - (this.#ballastBytes - held) > 2 * low) await this.#take(held);
    } catch (error) {
      this.#log.warn({ err: error }, 'free disk space could not be determined');
    }
  }

  /** Gives up the ballast; whether the disk is short of space and there was one to give. */
  async release(): Promise<boolean> {
    // A folder that cannot be looked at is another fault.
    const free = await this.#free().catch(() => Number.POSITIVE_INFINITY);
    if (this.#ballastBytes === 0 || free >= this.#ballastBytes / LOW_SHARE) return false;
    const held = await this.#held();
    if (!this.#isFull) this.#log.warn({ free }, 'the disk is full: only calls that free space are accepted');
    this.#isFull = true;
    await rm(this.#file, { force: true });
    return held > 0;
  }

  async #take(held: number): Promise<void> {
    if (held < this.#ballastBytes) await this.#write();
    if (this.#isFull) this.#log.info('the disk has free space again');
    this.#isFull = false;
  }

  /** Bytes that no file system can leave out or store once. */
  async #write(): Promise<void> {
    const file = await open(this.#file, 'w', 0o600);
    try {
      for (let at = 0; at < this.#ballastBytes; at += CHUNK_BYTES) {
        await file.write(randomBytes(Math.min(CHUNK_BYTES, this.#ballastBytes - at)));
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }

  get #file(): string {
    return path.join(this.#folder, 'ballast');
  }

  async #held(): Promise<number> {
    return stat(this.#file).then(
      ({ size }) => size,
      () => 0,
    );
  }

  async #free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }
}
