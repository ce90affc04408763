import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { percentile } from '../e2e/percentile.ts';
import { upsertBlob } from '../server/src/blobs/blobs.queries.ts';
import { queueExamination } from '../server/src/media/queue.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { withDatabase } from './database.ts';
import { load, verdict } from './figures.ts';
import { whileLooking } from './lists.ts';
import { login, startAms } from './processes.ts';

const PICTURES = Number(process.env['BENCH_PICTURES'] ?? 1000);
const VIDEOS = Number(process.env['BENCH_VIDEOS'] ?? 50);
const GOAL = 0.85;
/** Seldom, because each look takes processor time from what is measured. */
const LOOK_MS = 500;
const run = promisify(execFile);

interface Sample {
  name: string;
  bytes: Buffer;
}

/** The same sample over and over, each time with other bytes behind it that nobody looks at. */
const copies = (count: number, { name, bytes }: Sample): Sample[] =>
  Array.from({ length: count }, (_, n) => {
    const box = Buffer.concat([Buffer.from('\0\0\0\x18free', 'latin1'), randomBytes(16)]);
    return { name: `${n}${name}`, bytes: Buffer.concat([bytes, box]) };
  });

async function makePictures(): Promise<Sample[]> {
  const scene = sharp({
    create: {
      width: 1920,
      height: 1080,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  });
  return copies(PICTURES, { name: '.jpg', bytes: await scene.jpeg({ quality: 80 }).toBuffer() });
}

/** Five seconds each; one half is played as it is, the other one is converted. */
async function makeVideos(folder: string): Promise<Sample[]> {
  const make = async (name: string, ...codec: string[]): Promise<Sample> => {
    const file = path.join(folder, `sample${name}`);
    const scene = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25:duration=5'];
    await run('ffmpeg', ['-v', 'error', ...scene, ...codec, '-pix_fmt', 'yuv420p', file]);
    return { name, bytes: await readFile(file) };
  };
  const played = await make('.mp4', '-c:v', 'libx264', '-preset', 'veryfast');
  const converted = await make('.mov', '-c:v', 'mpeg4', '-q:v', '4');
  return [...copies(Math.ceil(VIDEOS / 2), played), ...copies(Math.floor(VIDEOS / 2), converted)];
}

/** Milliseconds for all of it by sharp and ffmpeg. */
async function alone(folder: string, samples: Sample[]): Promise<number> {
  await mkdir(folder);
  for (const { name, bytes } of samples) await writeFile(path.join(folder, name), bytes);
  const { stdout } = await run(process.execPath, ['bench/floor/process.ts'], {
    env: { ...process.env, FOLDER: folder },
  });
  return Number(stdout);
}

/** As if all had been uploaded at one moment. */
async function uploadAll(db: Db, data: string, samples: Sample[]): Promise<void> {
  const { id: owner_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const stored = await Promise.all(
    samples.map(async ({ name, bytes }) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await mkdir(path.join(data, 'blobs', sha256.slice(0, 2)), { recursive: true });
      await writeFile(path.join(data, 'blobs', sha256.slice(0, 2), sha256), bytes);
      return { name, bytes: bytes.length, sha256 };
    }),
  );
  await db.transaction().execute(async (tx) => {
    for (const { name, bytes, sha256 } of stored) {
      const id = randomUUID();
      const media = name.endsWith('.jpg') ? 'image' : 'video';
      await upsertBlob(tx, sha256, bytes);
      await tx
        .insertInto('files')
        .values({ id, owner_id, uploaded_by: null, name, orientation: 'vertical', kind: 1, sha256, step: 'examine' })
        .execute();
      await queueExamination(tx, { fileId: id, owner: owner_id, media, bytes });
    }
  });
}

/** Milliseconds until all of it is ready. */
async function processed(folder: string, samples: Sample[]): Promise<number> {
  let took = Number.NaN;
  await withDatabase(folder, async (db) => {
    const left = () => db.selectFrom('files').select('id').where('step', 'is not', null).limit(1).execute();
    const failed = () => db.selectFrom('blobs').select('sha256').where('state', '=', 'failed').execute();
    await uploadAll(db, path.join(folder, 'data'), samples);
    const start = performance.now();
    while ((await left()).length > 0) await sleep(LOOK_MS);
    took = performance.now() - start;
    if ((await failed()).length > 0) throw new Error('not everything could be processed');
  });
  return took;
}

/** Pictures and short videos from uploaded to ready, beside sharp and ffmpeg on the same cores; lists during both. */
export default async function bench(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  const token = await login(ams.origin);
  const sums = { ours: 0, floor: 0 };
  for (const [what, samples] of [
    ['pictures', await makePictures()],
    ['videos', await makeVideos(folder)],
  ] as const) {
    // On equal terms: the lists take processor time from both.
    const [floor] = await whileLooking(ams.origin, token, () => alone(path.join(folder, what), samples));
    const [ours, lists] = await whileLooking(ams.origin, token, () => processed(folder, samples));
    sums.ours += ours;
    sums.floor += floor;
    console.log(
      `${samples.length} ${what}: ours ${(ours / 1000).toFixed(1)} s, floor ${(floor / 1000).toFixed(1)} s, ratio ${(floor / ours).toFixed(2)}, lists' p99 ${percentile(lists, 0.99).toFixed(0)} ms (${load()})`,
    );
  }
  const ratio = sums.floor / sums.ours;
  console.log(`together: ratio ${ratio.toFixed(2)}: ${verdict(ratio >= GOAL)}`);
}
