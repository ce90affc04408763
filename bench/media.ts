import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { insertKnownBlob } from '../server/src/blobs/blobs.queries.ts';
import { DiskBlobs } from '../server/src/blobs/disk-blobs.ts';
import { secretKey, Signer } from '../server/src/platform/auth/signing.ts';
import { type Nginx, runNginx, startNginx } from '../server/test/nginx.ts';
import { withDatabase } from './database.ts';
import { inTurn, load, verdict } from './figures.ts';
import { COLLECTING, cpuSeconds, memoryBytes, type Program, startAms, startProgram } from './processes.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SLOW_READERS = 100;
/** Of the speed of nginx alone. */
const GOAL_BEHIND = 0.9;

/** A request pattern: the file or a part of it, repeated. */
const ASKED = [
  { what: '100 MB', bytes: 100e6, range: undefined, times: 5 },
  { what: 'a range of 10 MB', bytes: 100e6, range: [40e6, 50e6 - 1], times: 30 },
  { what: 'a picture of 200 kB', bytes: 200e3, range: undefined, times: 1000 },
] as const;
type Asked = (typeof ASKED)[number];

/** Reads a response to its end without keeping or parsing it: the reader must cost less than the server. */
async function read(socket: Socket, { pathname, search }: URL, { range, bytes }: Asked): Promise<void> {
  const wanted = range ? range[1] - range[0] + 1 : bytes;
  const head = [
    `GET ${pathname}${search} HTTP/1.1`,
    'host: bench',
    ...(range ? [`range: bytes=${range.join('-')}`] : []),
  ];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left: number | undefined;
  const onData = (chunk: Buffer): void => {
    if (left === undefined) {
      const end = chunk.indexOf('\r\n\r\n');
      if (!/^HTTP\/1.1 20[06] /.test(chunk.toString('latin1', 0, 20)) || end < 0) {
        return reject(new Error(chunk.toString('latin1', 0, 200)));
      }
      left = wanted + end + 4;
    }
    left -= chunk.length;
    if (left === 0) resolve();
  };
  socket.on('data', onData).once('close', () => reject(new Error('closed')));
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await promise;
  socket.off('data', onData).removeAllListeners('close');
}

/** MB a second over two connections that ask one after the other. */
async function rate(url: string, asked: Asked): Promise<number> {
  const address = new URL(url);
  const start = performance.now();
  const one = async (): Promise<void> => {
    const socket = connect(Number(address.port), '127.0.0.1');
    for (let time = 0; time < asked.times; time += 1) await read(socket, address, asked);
    socket.destroy();
  };
  await Promise.all([one(), one()]);
  const bytes = asked.range ? asked.range[1] - asked.range[0] + 1 : asked.bytes;
  return (2 * asked.times * bytes) / 1000 / (performance.now() - start);
}

/** Memory in bytes per reader that stops reading. */
async function stalledReaders(url: string, program: Program): Promise<number> {
  const address = new URL(url);
  const before = await memoryBytes(program);
  const sockets = await Promise.all(
    Array.from({ length: SLOW_READERS }, async () => {
      const socket = connect(Number(address.port), '127.0.0.1');
      socket.write(`GET ${address.pathname}${address.search} HTTP/1.1\r\nhost: bench\r\n\r\n`);
      await once(socket, 'readable');
      return socket.pause();
    }),
  );
  const cost = ((await memoryBytes(program)) - before) / SLOW_READERS;
  for (const socket of sockets) socket.destroy();
  return cost;
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);

/** Files of a folder by nginx itself. */
const bareNginx = (root: string): Promise<Nginx> =>
  runNginx((port) => `server { listen 127.0.0.1:${port}; root ${root}; sendfile on; tcp_nopush on; }`);

/** Puts contents into the store of a server, as ready ones; answers their names by size. */
async function fill(folder: string, blobs: string): Promise<{ names: Map<number, string>; signer: Signer }> {
  const names = new Map<number, string>();
  const { promise, resolve } = Promise.withResolvers<Signer>();
  await withDatabase(folder, async (db) => {
    resolve(new Signer(await secretKey(db, 'media')));
    for (const bytes of new Set(ASKED.map((asked) => asked.bytes))) {
      const content = randomBytes(bytes);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const file = path.join(folder, sha256);
      await writeFile(file, content);
      await new DiskBlobs(blobs).adopt(sha256, file);
      await insertKnownBlob(db, { sha256, bytes, mime: 'video/mp4', width: 1, height: 1, poster_sha256: null });
      names.set(bytes, sha256);
    }
  });
  return { names, signer: await promise };
}

/** Media downloads, compared to a bare stream pipe; with nginx in front, compared to nginx alone. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const blobs = path.join(folder, 'data/blobs');
  const ams = await startAms(folder, {}, COLLECTING);
  const { names, signer } = await fill(folder, blobs).catch(async (error: unknown) => {
    await ams.stop();
    throw error;
  });
  const flat = path.join(folder, 'flat');
  await mkdir(flat);
  for (const name of names.values()) await symlink(path.join(blobs, name.slice(0, 2), name), path.join(flat, name));
  const pipe = await startProgram('bench/floor/pipe.ts', { FOLDER: flat });
  ends.defer(() => pipe.stop());
  const nameOf = ({ bytes }: Asked): string => names.get(bytes) ?? '';
  const addressOf = (asked: Asked): string => signer.sign(`/media/${nameOf(asked)}`);

  for (const asked of ASKED) {
    const cpu = { ours: cpuSeconds(ams.pid), pipe: cpuSeconds(pipe.pid) };
    const memory = await memoryBytes(ams);
    const rates = await inTurn(ROUNDS, {
      ours: () => rate(ams.origin + addressOf(asked), asked),
      pipe: () => rate(`${pipe.origin}/${nameOf(asked)}`, asked),
    });
    const cost = (cpuSeconds(ams.pid) - cpu.ours) / (cpuSeconds(pipe.pid) - cpu.pipe);
    const speed = rates.ours / rates.pipe;
    console.log(
      `${asked.what}: ours ${mb(rates.ours * 1e6)} MB/s, pipe ${mb(rates.pipe * 1e6)}, ratio ${speed.toFixed(2)} at ${cost.toFixed(2)} of its processor time: ${verdict(speed >= 1 && cost <= 1)} (${load()})`,
    );
    console.log(`  memory before ${mb(memory)} MB, after ${mb(await memoryBytes(ams))} MB`);
  }
  const each = await stalledReaders(ams.origin + addressOf(ASKED[0]), ams);
  console.log(`${SLOW_READERS} readers that stop reading: ${(each / 1000).toFixed(0)} kB each`);
  await ams.stop();

  const behind = await startAms(folder, { AMS_ACCEL_REDIRECT: '/blobs/', AMS_TRUST_PROXY: 'loopback' });
  ends.defer(() => behind.stop());
  const front = await startNginx([Number(new URL(behind.origin).port)], blobs);
  ends.defer(() => front.end());
  const alone = await bareNginx(flat);
  ends.defer(() => alone.end());
  for (const asked of ASKED) {
    const rates = await inTurn(ROUNDS, {
      ours: () => rate(front.origin + addressOf(asked), asked),
      nginx: () => rate(`${alone.origin}/${nameOf(asked)}`, asked),
    });
    const ratio = rates.ours / rates.nginx;
    console.log(
      `${asked.what} behind nginx: ${mb(rates.ours * 1e6)} MB/s, nginx alone ${mb(rates.nginx * 1e6)}, ratio ${ratio.toFixed(2)}, goal ${GOAL_BEHIND}: ${verdict(ratio >= GOAL_BEHIND)} (${load()})`,
    );
  }
}
