import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../cluster.ts';
import { PASSWORD } from '../server.ts';
import { Devices, releasePicture } from './devices.ts';
import { Operator } from './operator.ts';

export interface Rolling {
  devices: number;
  restarts: number;
  /** The longest that a process took from the signal to its end. */
  slowestStopMs: number;
  requests: number;
  failed: string[];
  uploads: number;
  /** The longest that a device was shown as offline. */
  longestOfflineMs: number;
  /** Acknowledged plays, and stored plays. */
  plays: { acknowledged: number; stored: number };
}

const LOOK_MS = 250;
/** Devices that play a picture per second; the others play one every ten seconds. */
const FEW = 100;
const UPLOAD_BYTES = 3_000_000;
/** Interval of restarts with many devices, as recommended in docs/production.md. */
const SETTLE_MS = 60_000;

/** Notes how long each device is offline, as operators see it. */
class Watch {
  readonly #cluster: Cluster;
  readonly #offlineSince = new Map<string, number>();
  longestMs = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look();
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const row = await this.#cluster.row('select array_agg(id::text) as ids from devices_now where not online');
    const offline = new Set(Array.isArray(row?.['ids']) ? row['ids'].map(String) : []);
    const now = performance.now();
    for (const [id, since] of this.#offlineSince) {
      this.longestMs = Math.max(this.longestMs, now - since);
      if (!offline.has(id)) this.#offlineSince.delete(id);
    }
    for (const id of offline) if (!this.#offlineSince.has(id)) this.#offlineSince.set(id, now);
  }
}

/** Lists, changes and uploads, one after the other, until it is over. */
async function work(operator: Operator, signal: AbortSignal): Promise<number> {
  let uploads = 0;
  const uploading = async (): Promise<void> => {
    while (!signal.aborted) {
      const bytes = new Uint8Array(UPLOAD_BYTES).fill(uploads);
      // A picture by its first bytes; that nothing can show it does not matter here.
      bytes.set([0xff, 0xd8, 0xff, 0xe0]);
      await operator.upload(bytes, { name: 'upload.jpg', orientation: 'vertical', kind: '1' }).then(
        () => (uploads += 1),
        () => undefined,
      );
    }
  };
  const calling = async (): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const username = `u${randomBytes(6).toString('hex')}`;
      await Promise.allSettled([
        operator.calls.devices.list({ query: { limit: 20 } }),
        operator.calls.home.summary(),
        operator.calls.users.create({ body: { username, password: PASSWORD, role: 'member' } }),
      ]);
      await sleep(50);
    }
  };
  await Promise.all([uploading(), calling(), calling()]);
  return uploads;
}

/**
 * Restarts each of two processes behind nginx in turn, again and again, while devices play and an operator works.
 * @param port of nginx; the two after it are the processes'
 */
export async function rolling(port: number, devices: number, restarts: number): Promise<Rolling> {
  const cluster = new Cluster(port, { files: 'disk', settings: { AMS_CAPTCHA: 'off', AMS_MAX_IMAGE_MB: '20' } });
  const over = new AbortController();
  let fleet: Devices | undefined;
  try {
    await cluster.start();
    const operator = new Operator(cluster.origin);
    await operator.login();
    fleet = new Devices(devices, cluster.origin, cluster.folder);
    await fleet.allOnline();
    await releasePicture(cluster.folder, operator, devices > FEW ? 10 : 1);
    await fleet.allPlay();
    const watch = new Watch(cluster);
    const watching = watch.run(over.signal);
    const working = work(operator, over.signal);
    let slowestStopMs = 0;
    for (let turn = 0; turn < restarts; turn += 1) {
      const member = cluster.member(turn % 2 === 0 ? 0 : 1);
      const begin = performance.now();
      await member.stop();
      slowestStopMs = Math.max(slowestStopMs, performance.now() - begin);
      await member.start();
      await fleet.allOnline();
      if (devices > FEW && turn < restarts - 1) await sleep(SETTLE_MS);
    }
    over.abort();
    const uploads = await working;
    await watching;
    await fleet.allAnswered();
    await fleet.stop();
    const row = await cluster.row('select coalesce(sum(plays), 0)::int as n from play_days');
    return {
      devices,
      restarts,
      slowestStopMs: Math.round(slowestStopMs),
      requests: operator.requests,
      failed: operator.failed,
      uploads,
      longestOfflineMs: Math.round(watch.longestMs),
      plays: { acknowledged: fleet.plays, stored: Number(row?.['n']) },
    };
  } finally {
    over.abort();
    await fleet?.stop();
    await cluster.end();
  }
}

export default async function run(devices = 2000, restarts = 6): Promise<void> {
  console.log(await rolling(4700, devices, restarts));
}
