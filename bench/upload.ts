import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inTurn, load, verdict } from './figures.ts';
import { cpuSeconds, login, type Program, startAms, startProgram } from './processes.ts';

const ROUNDS = 3;
const PIECE_BYTES = 2 ** 20;
const BYTES = Number(process.env['BENCH_MIB'] ?? 1024) * PIECE_BYTES;
const GOAL = 0.95;

/** The beginning of an MP4, so that it is taken for one (ISO/IEC 14496-12 §4.3). */
const FTYP = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');

/** A film that nobody sent before. */
function* film(): Generator<Buffer> {
  const first = randomBytes(PIECE_BYTES);
  FTYP.copy(first);
  yield first;
  const piece = randomBytes(PIECE_BYTES);
  for (let sent = PIECE_BYTES; sent < BYTES; sent += PIECE_BYTES) yield piece;
}

const METADATA = Object.entries({ name: 'film.mp4', orientation: 'vertical', kind: 2 })
  .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
  .join(',');

/** Sends a film by tus; answers MiB a second, from the first byte until the last is acknowledged. */
async function send(endpoint: string, token?: string): Promise<number> {
  const common = { 'tus-resumable': '1.0.0', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const created = await fetch(endpoint, {
    method: 'POST',
    headers: { ...common, 'upload-length': String(BYTES), 'upload-metadata': METADATA },
  });
  const place = created.headers.get('location');
  if (place === null) throw new Error(`not begun: ${created.status} ${await created.text()}`);
  const start = performance.now();
  const patch = request(new URL(place, endpoint), {
    method: 'PATCH',
    headers: {
      ...common,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': 0,
      'content-length': BYTES,
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    patch.on('response', (reply) => reply.resume().on('end', () => resolve(reply.statusCode)));
    patch.on('error', reject);
  });
  await Promise.all([pipeline(Readable.from(film()), patch), answered]);
  if ((await answered) !== 204) throw new Error(`not taken: ${await answered}`);
  return BYTES / PIECE_BYTES / ((performance.now() - start) / 1000);
}

/** A film of 1 GiB (`BENCH_MIB`) by tus, hashed and on the disk, beside a bare @tus/server that writes files. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  const token = await login(ams.origin);
  const bareFolder = path.join(folder, 'bare');
  await mkdir(bareFolder);
  const startBare = async (settings: Record<string, string>): Promise<Program> => {
    const program = await startProgram('bench/floor/tus.ts', { FOLDER: bareFolder, ...settings });
    ends.defer(() => program.stop());
    return program;
  };
  const [bare, synced] = [await startBare({}), await startBare({ SYNC: 'on' })];
  const sendBare = async ({ origin }: Program): Promise<number> => {
    const rate = await send(`${origin}/uploads`);
    for (const name of await readdir(bareFolder)) await rm(path.join(bareFolder, name));
    return rate;
  };
  const rates = await inTurn(ROUNDS, {
    ours: () => send(`${ams.origin}/api/uploads`, token),
    bare: () => sendBare(bare),
    synced: () => sendBare(synced),
  });
  console.log(`ours ${rates.ours.toFixed(0)} MiB/s, hashed and on the disk when it is answered (${load()})`);
  for (const [what, rate] of [
    ['bare', rates.bare],
    ['bare, on the disk when it is answered', rates.synced],
  ] as const) {
    const ratio = rates.ours / rate;
    console.log(`  ${what}: ${rate.toFixed(0)} MiB/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= GOAL)}`);
  }
  const each = ({ pid }: Program): string => (cpuSeconds(pid) / ROUNDS).toFixed(2);
  console.log(`  seconds of the processor a film, with the start: ours ${each(ams)}, bare ${each(bare)}`);
}
