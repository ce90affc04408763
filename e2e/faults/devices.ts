import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts } from '@ams/fleet/fleet';
import type { Options } from '@ams/fleet/options';
import { makePicture } from '../media.ts';
import { dataOf, PASSWORD } from '../server.ts';
import type { Operator } from './operator.ts';

const LOOK_MS = 250;
/** Load of one process besides the measured one. */
const A_PROCESS = 1000;

/** Messages to and from a part of a fleet (`fleet.process.ts`). */
export type Order = Options | 'stop';
export interface Report {
  ended: boolean;
  counts: Counts;
}

class Part {
  readonly #process: ChildProcess;
  #counts: Counts = { devices: 0, paired: 0, online: 0, done: 0, bytes: 0, plays: 0, unanswered: 0 };
  readonly #ended = Promise.withResolvers<void>();

  constructor(options: Options) {
    this.#process = fork(path.join(import.meta.dirname, 'fleet.process.ts'));
    this.#process.on('message', (report: Report) => {
      this.#counts = report.counts;
      if (report.ended) this.#ended.resolve();
    });
    this.#process.once('exit', () => this.#ended.resolve());
    process.once('exit', () => this.#process.kill());
    this.#process.send(options satisfies Order);
  }

  get counts(): Counts {
    return this.#counts;
  }

  get gone(): boolean {
    return !this.#process.connected;
  }

  async stop(): Promise<void> {
    if (this.#process.connected) this.#process.send('stop' satisfies Order);
    await this.#ended.promise;
  }
}

/** Simulated devices in processes of their own: what they cost is their own, too. */
export class Devices {
  readonly #parts: Part[];
  readonly #count: number;

  /** @param folder stores their identities */
  constructor(count: number, server: string, folder: string) {
    this.#count = count;
    this.#parts = Array.from({ length: Math.ceil(count / A_PROCESS) }, (_, index) => {
      const before = index * A_PROCESS;
      return new Part({
        devices: Math.min(A_PROCESS, count - before),
        first: before + 1,
        server,
        operator: { username: 'admin', password: PASSWORD },
        enrolmentKey: undefined,
        keep: false,
        stateFile: path.join(folder, `fleet-${index}.json`),
        faults: {},
      });
    });
  }

  #sum(what: keyof Counts): number {
    return this.#parts.reduce((sum, { counts }) => sum + counts[what], 0);
  }

  get online(): number {
    return this.#sum('online');
  }

  /** Plays that the server took. */
  get plays(): number {
    return this.#sum('plays');
  }

  allOnline(): Promise<void> {
    return this.#until(() => this.online === this.#count);
  }

  /** Until all have what they shall show, and have shown it. */
  allPlay(): Promise<void> {
    return this.#until(() => this.#sum('done') === this.#count && this.plays > 0);
  }

  /** Until no report of plays waits for its answer: one whose answer was lost is stored and not counted here. */
  allAnswered(): Promise<void> {
    return this.#until(() => this.#sum('unanswered') === 0);
  }

  async #until(what: () => boolean): Promise<void> {
    while (!what()) {
      if (this.#parts.some(({ gone }) => gone)) throw new Error('a fleet ended by itself');
      await sleep(LOOK_MS);
    }
  }

  /** Settles when the last call was answered. */
  async stop(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.stop()));
  }
}

/** A picture on every device, again and again for so many seconds. */
export async function releasePicture(folder: string, operator: Operator, seconds: number): Promise<void> {
  const file = path.join(folder, 'one.png');
  makePicture(file, 'blue', '90x160');
  const fileId = await operator.upload(new Uint8Array(readFileSync(file)), {
    name: 'one.png',
    orientation: 'vertical',
    kind: '1',
  });
  await operator.ready(fileId);
  const body = {
    name: 'One',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId, seconds }] },
  };
  const ad = dataOf(await operator.calls.ads.create({ body }));
  dataOf(await operator.calls.ads.release({ params: { id: ad.id }, body: { devices: { filter: {} } } }));
}
