import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { makePicture } from '../media.ts';
import { dataOf, PASSWORD, type RealServer } from '../server.ts';
import type { Ledger } from './ledger.ts';
import type { Operator } from './operator.ts';
import { ReplyError, Reporter } from './reporter.ts';

const AGAIN_MS = 100;
/** Pixels of a picture of about 200 kB, as noise cannot be compressed. */
const NOISE = { width: 200, height: 330, channels: 3 } as const;
const PIECE_BYTES = 50_000;

/** Objects used by the load. */
export interface Known {
  ad: string;
  device: string;
  release: string;
  sha256: string;
  reporter: Reporter;
}

/** A picture that was released to a device a day ago. */
export async function prepare(server: RealServer, operator: Operator): Promise<Known> {
  const picture = path.join(server.folder, 'first.png');
  makePicture(picture, 'red', '90x160');
  const bytes = new Uint8Array(readFileSync(picture));
  const fileId = await operator.upload(bytes, { name: 'first.png', orientation: 'vertical', kind: '1' });
  await operator.ready(fileId);
  const reporter = new Reporter(server.origin);
  const device = await reporter.pair(operator);
  const body = {
    name: 'One',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId, seconds: 1 }] },
  };
  const ad = dataOf(await operator.calls.ads.create({ body })).id;
  const { id: release } = dataOf(
    await operator.calls.ads.release({ params: { id: ad }, body: { devices: { ids: [device] } } }),
  );
  // It has been there for long enough to have been played.
  await server.row("update release_devices set started_at = now() - interval '1 day' returning 1 as n");
  await server.row("update releases set released_at = now() - interval '1 day' returning 1 as n");
  return { ad, device, release, sha256: createHash('sha256').update(bytes).digest('hex'), reporter };
}

/** Never aborts. */
const NEVER = new AbortController().signal;

/** Repeats what a fault may have interrupted, as apps and devices do, until it is acknowledged, refused or `over`. */
async function insist<T>(over: AbortSignal, what: () => Promise<T>): Promise<T | undefined> {
  while (!over.aborted) {
    try {
      return await what();
    } catch (error) {
      if (error instanceof ReplyError && error.isFinal) throw error;
      await sleep(AGAIN_MS);
    }
  }
  return undefined;
}

/** Registrations, uploads, releases and plays at once. */
export function load(
  server: RealServer,
  operator: Operator,
  ledger: Ledger,
  known: Known,
  over: AbortSignal,
): Promise<unknown> {
  const register = async (): Promise<void> => {
    const username = `u${randomBytes(6).toString('hex')}`;
    const done = await insist(over, async () => {
      const reply = await operator.calls.users.create({ body: { username, password: PASSWORD, role: 'member' } });
      // Its first try went through and the answer was lost.
      return reply.error === undefined || reply.error === 'USERNAME_TAKEN' || Promise.reject(new Error(reply.error));
    });
    if (done) ledger.users.push(username);
  };
  /** A content of its own for every upload, with nothing that is removed before it is served. */
  const picture = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const pixels = randomBytes(NOISE.width * NOISE.height * NOISE.channels);
    return new Uint8Array(await sharp(pixels, { raw: NOISE }).png({ compressionLevel: 0 }).toBuffer());
  };
  /** One resumes interrupted work like a browser, another never returns. */
  const upload = async (again: (what: () => Promise<string>) => Promise<string | undefined>): Promise<void> => {
    const bytes = await picture();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const place = await operator.begin(bytes.length, { name: 'picture.png', orientation: 'vertical', kind: '1' });
    const id = await again(() => operator.send(place, bytes, PIECE_BYTES));
    if (id) ledger.files.set(id, sha256);
  };
  const release = async (): Promise<void> => {
    const reply = await operator.calls.ads
      .release({ params: { id: known.ad }, body: { devices: { ids: [known.device] }, replace: false } })
      .catch(() => undefined);
    if (reply?.error === undefined && reply) ledger.releases.push(reply.data.id);
    await sleep(AGAIN_MS);
  };
  const play = async (): Promise<void> => {
    const batch = known.reporter.batch(known.release, known.sha256);
    // Also when all is over: a report whose answer was lost is stored, and counts.
    await insist(NEVER, () => known.reporter.report(batch));
    ledger.plays += batch.plays.length;
  };
  const repeat = async (what: () => Promise<void>): Promise<void> => {
    while (!over.aborted) await what().catch(() => sleep(AGAIN_MS));
  };
  return Promise.all([
    repeat(register),
    repeat(() => upload((what) => insist(over, what))),
    repeat(() => upload((what) => what())),
    repeat(release),
    repeat(play),
  ]);
}
