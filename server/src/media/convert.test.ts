import { access, chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { IMAGE_PIXELS_MAX } from '@ams/contract';
import pg from 'pg';
import { pino } from 'pino';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { haltingFfmpeg, isAlive } from '../../test/ffmpeg.ts';
import {
  addFile,
  beginVideo,
  makeMedia,
  makeMp4,
  testPattern,
  shortened,
  turnedRight,
  untilFile,
} from '../../test/media.ts';
import { killServer, ServerPrograms } from '../../test/server-program.ts';
import { dataOf, makeDatabase, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { startServer } from '../lifecycle.ts';
import { releaseJobs } from '../platform/jobs/jobs.ts';
import type { ProbedVideo } from '../platform/sandbox/answers.ts';
import { videoFacts } from '../platform/sandbox/parsers/video.ts';
import { cleanUploads } from '../uploads/clean-uploads.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-convert-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function probe(bytes: Buffer): Promise<ProbedVideo> {
  const file = path.join(folder, 'probed');
  await writeFile(file, bytes);
  const facts = await videoFacts({ file, pixelsMax: IMAGE_PIXELS_MAX });
  if (facts.kind === 'bad') throw new Error(facts.failure);
  return facts;
}

/** The first frame as people see it. */
async function frameOf(bytes: Buffer): Promise<Sharp> {
  const file = path.join(folder, 'seen');
  await writeFile(file, bytes);
  return sharp(await makeMedia('frame.png', '-i', file, '-frames:v', '1', '-pix_fmt', 'rgb24'));
}

const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast'];
const hevc = (params = ''): string[] => [...HEVC, '-x265-params', `log-level=error${params}`, '-tag:v', 'hvc1'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=1'];

describe('a converted video is', () => {
  let server: TestServer;
  let member: Session;

  beforeAll(async () => {
    server = await startTestServer();
    member = await server.createUser('member');
  });

  async function convert(original: Buffer, name = 'a.mp4') {
    const file = await addFile(server, member, original, { name, orientation: 'vertical', kind: 2 });
    expect(file).toMatchObject({ state: 'ready', mime: 'video/mp4', progress: null });
    const bytes = Buffer.from(await (await fetch(server.url + file.url)).arrayBuffer());
    expect(bytes).not.toEqual(original);
    const facts = await probe(bytes);
    expect(facts).toMatchObject({ codec: 'avc', hdr: false });
    expect(facts.codecString).toMatch(/^avc1\.64/);
    return { file, bytes, facts };
  }

  test('from 10-bit HDR in the colours of a standard screen', async () => {
    // Half of the signal in PQ is the light of 92 nits, nearly white where 100 nits are.
    const grey = 'format=yuv420p10le,geq=lum=502:cb=512:cr=512';
    const pq = 'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv';
    const original = await makeMedia(
      'a.mp4',
      ...['-f', 'lavfi', '-i', 'color=c=gray:size=180x320:rate=5:duration=1', '-vf', `${grey},${pq}`],
      ...hevc(':colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'),
    );
    expect(await probe(original)).toMatchObject({ hdr: true });
    const { file, bytes } = await convert(original);
    const poster = Buffer.from(await (await fetch(server.url + file.poster)).arrayBuffer());
    for (const picture of [await frameOf(bytes), sharp(poster)]) {
      const { channels } = await picture.stats();
      expect(channels[1]?.mean).toBeGreaterThan(140);
      expect(channels[1]?.mean).toBeLessThan(170);
    }
  });

  test('upright if the original is rotated', async () => {
    const original = turnedRight(await makeMedia('a.mp4', ...testPattern('180x320', 1), ...hevc()));
    const { file, bytes } = await convert(original);
    expect(file).toMatchObject({ width: 320, height: 180 });
    expect(await (await frameOf(bytes)).metadata()).toMatchObject({ width: 320, height: 180 });
  });

  test('in whole frames if the original is interlaced, although browsers play it', async () => {
    const fields = ['-vf', 'interlace', '-c:v', 'libx264', '-flags', '+ildct+ilme', '-pix_fmt', 'yuv420p'];
    const original = await makeMedia('a.mp4', ...testPattern('180x320', 1), ...fields);
    const { bytes } = await convert(original);
    const again = await addFile(server, member, bytes, { name: 'b.mp4', orientation: 'vertical', kind: 2 });
    expect(Buffer.from(await (await fetch(server.url + again.url)).arrayBuffer())).toEqual(bytes);
  });

  test('with square pixels', async () => {
    const wide = ['-vf', 'setsar=2/1', '-c:v', 'mpeg4'];
    const { file } = await convert(await makeMedia('a.mov', ...testPattern('160x180', 1), ...wide), 'a.mov');
    expect(file).toMatchObject({ width: 320, height: 180 });
  });

  test('with even sides, and six channels of sound mixed to two', async () => {
    const odd = ['-vf', 'scale=181:321', '-pix_fmt', 'yuv444p', ...hevc()];
    const six = ['-af', 'pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0', '-c:a', 'ac3'];
    const original = await makeMedia('a.mkv', ...testPattern('180x320', 1), ...SOUND, ...odd, ...six);
    const { file, facts } = await convert(original, 'a.mkv');
    expect(file).toMatchObject({ width: 180, height: 320 });
    expect(facts.audio).toEqual({ codec: 'aac' });
  });

  test('with the same duration if its frame rate varies', async () => {
    const sometimes = ['-vf', "select='not(mod(n,7))+lt(n,4)'", '-fps_mode', 'vfr', ...hevc()];
    const original = await makeMedia('a.mkv', ...testPattern('180x320', 3), ...sometimes);
    const { durationMs } = await probe(original);
    const { file } = await convert(original, 'a.mkv');
    expect(Math.abs((file.durationMs ?? 0) - durationMs)).toBeLessThan(600);
  });

  test('as long as people see it if its end was cut off by an edit list', async () => {
    const whole = await makeMedia('a.mp4', ...testPattern('180x320', 12), ...hevc());
    const { file, facts } = await convert(shortened(whole, 3));
    expect([file.durationMs, facts.durationMs]).toEqual([3000, 3000]);
    const played = await makeMedia('a.mp4', ...testPattern('180x320', 12), '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
    const wishes = { name: 'b.mp4', orientation: 'vertical', kind: 2 };
    expect(await addFile(server, member, shortened(played, 3), wishes)).toMatchObject({ durationMs: 3000 });
  });

  test('as failed if half of it is damaged', async () => {
    const args = [...testPattern('180x320', 6), '-g', '10'];
    const codecs = { 'a.mp4': ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'], 'a.mov': ['-c:v', 'prores_ks'] };
    for (const [name, codec] of Object.entries(codecs)) {
      const broken = await makeMedia(name, ...args, ...codec);
      const pictures = broken.indexOf('mdat') + 4;
      const length = broken.readUInt32BE(pictures - 8);
      broken.fill(0, pictures + Math.floor(length / 2), pictures - 8 + length);
      const file = await addFile(server, member, broken, { name, orientation: 'vertical', kind: 2 });
      expect(file).toMatchObject({ state: 'failed', failure: 'unreadable', url: null });
    }
  });
});

const makeHevc = (): Promise<Buffer> => makeMedia('a.mp4', ...testPattern('180x320', 1), ...hevc());

const begin = async (url: string, session: Session): Promise<string> => beginVideo({ url }, session, await makeHevc());

test('the progress of a conversion is visible and announced to open pages', async () => {
  const ffmpeg = await haltingFfmpeg(folder, 'slow');
  const server = await startTestServer({ AMS_FFMPEG: ffmpeg.program });
  const member = await server.createUser('member');
  const told: string[] = [];
  server.deps.events.on('changed', ({ kind, ids }) => kind === 'file' && told.push(...ids));
  const id = await begin(server.url, member);
  await untilFile(member, id, { state: 'processing', progress: 40 });
  await vi.waitFor(() => expect(told).toEqual([id, id, id]));
  // The poster is available before the file can be played.
  const waiting = dataOf(await member.calls.files.get({ params: { id } }));
  expect(waiting.url).toBeNull();
  const poster = await fetch(`${server.url}${waiting.poster}`);
  expect(poster.headers.get('content-type')).toBe('image/webp');
  expect(await sharp(Buffer.from(await poster.arrayBuffer())).metadata()).toMatchObject({ height: 320 });
  // Others do not wait for it.
  const other = await addFile(server, member, await makeMp4(), { name: 'b.mp4', orientation: 'vertical', kind: 2 });
  expect(other.state).toBe('ready');
  await ffmpeg.goOn();
  await untilFile(member, id, { state: 'ready', progress: null });
});

test('a conversion survives a server that is killed', async () => {
  const ffmpeg = await haltingFfmpeg(folder, 'interrupted');
  const { url: databaseUrl, ...connection } = await makeDatabase();
  const data = path.join(folder, 'data');
  const servers = new ServerPrograms(databaseUrl, data, { AMS_FFMPEG: ffmpeg.program });
  try {
    const first = await servers.start();
    const admin = await first.login();
    const id = await begin(first.url, admin);
    await untilFile(admin, id, { progress: 40 });
    const worker = await ffmpeg.pid();
    await killServer(first, connection);
    await vi.waitFor(() => expect(isAlive(worker)).toBe(false));

    const second = await servers.start();
    await untilFile(await second.login(), id, { state: 'ready', progress: null });
    // The folder is removed after the file has become ready.
    await vi.waitFor(async () => expect(await readdir(path.join(data, 'processing'))).toEqual([]));
  } finally {
    await servers.end();
  }
});

test('a conversion does not fail when it is ended together with its server, as systemd does, at its last try', async () => {
  const ffmpeg = await haltingFfmpeg(folder, 'stopped', 0.4, 2);
  const { url: databaseUrl, ...connection } = await makeDatabase();
  const servers = new ServerPrograms(databaseUrl, path.join(folder, 'stopped'), { AMS_FFMPEG: ffmpeg.program });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const first = await servers.start();
    const admin = await first.login();
    const id = await begin(first.url, admin);
    await untilFile(admin, id, { progress: 40 });
    await client.query('update graphile_worker._private_jobs set max_attempts = 2 where key = $1', [`files:${id}`]);
    const before = await ffmpeg.pid();
    process.kill(before, 'SIGTERM');
    await vi.waitFor(async () => expect(await ffmpeg.pid()).not.toBe(before), { timeout: 20_000 });
    const last = await ffmpeg.pid();
    first.child.kill('SIGTERM');
    const isReady = () =>
      fetch(`${first.url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitFor(async () => expect(await isReady()).toBe(false), { timeout: 10_000, interval: 5 });
    // The server may have ended it already.
    if (isAlive(last)) process.kill(last, 'SIGTERM');
    await first.ended;
    const { rows } = await client.query('select state, step from files join blobs using (sha256)');
    expect(rows).toEqual([{ state: 'processing', step: 'convert' }]);
  } finally {
    await client.end();
    await servers.end();
  }
});

test('a conversion that another process takes over, as after an outage of the database, can still be finished', async () => {
  const program = path.join(folder, 'twice');
  // The first conversion is about to end when the second begins.
  await writeFile(
    program,
    `#!/bin/sh
until_there() { while [ ! -e "$1" ]; do sleep 0.05; done; }
case " $* " in *" -progress "*)
  if mkdir "$0.first" 2>/dev/null; then
    ffmpeg "$@" || exit 1
    touch "$0.made"
    until_there "$0.go"
    exit 0
  fi
  touch "$0.second"
  until_there "$0.go-on";;
esac
exec ffmpeg "$@"
`,
  );
  await chmod(program, 0o755);
  const server = await startTestServer({ AMS_FFMPEG: program });
  const member = await server.createUser('member');
  const id = await begin(server.url, member);
  const isThere = (suffix: string) => vi.waitFor(() => access(program + suffix), { timeout: 20_000 });
  await isThere('.made');
  const second = await startServer(server.config, server.connection, pino({ level: 'error' }));
  try {
    // As each process does with the jobs of those whose heartbeats it misses.
    await releaseJobs(server.deps.db, [server.deps.processId]);
    await isThere('.second');
    await writeFile(`${program}.go`, '');
    await untilFile(member, id, { state: 'ready' });
    await writeFile(`${program}.go-on`, '');
    await vi.waitFor(
      async () => expect(await readdir(path.join(server.config.data, 'processing'))).toEqual([]),
      10_000,
    );
  } finally {
    await second.stop();
  }
});

test.each([
  ['cannot be loaded, as while its package is replaced', 'exit 127'],
  ['cannot be started for lack of processes', 'echo "sh: 0: Cannot fork" >&2; exit 2'],
])('a video is examined again when ffmpeg %s', async (name, end) => {
  const program = path.join(folder, name.replaceAll(' ', '-'));
  const isAway = `[ "$(wc -l < "$0.tries")" -le 2 ]`;
  await writeFile(
    program,
    `#!/bin/sh
case " $* " in *" -i "*) echo try >> "$0.tries"; if ${isAway}; then ${end}; fi;; esac
exec ffmpeg "$@"
`,
  );
  await chmod(program, 0o755);
  const server = await startTestServer({ AMS_FFMPEG: program });
  const member = await server.createUser('member');
  const id = await beginVideo(server, member, await makeMp4());
  await untilFile(member, id, { state: 'ready', failure: null });
});

test('what a killed process made of a file that was deleted is removed after a day', async () => {
  const server = await startTestServer();
  const processing = path.join(server.config.data, 'processing');
  for (const [name, hours] of [
    ['left', 25],
    ['running', 6],
  ] as const) {
    const work = path.join(processing, `${name}.convert`);
    await mkdir(work, { recursive: true });
    await writeFile(path.join(work, 'play.mp4'), 'half a film');
    const begun = new Date(Date.now() - hours * 3_600_000);
    await utimes(work, begun, begun);
  }
  await cleanUploads(server.deps);
  expect(await readdir(processing)).toEqual(['running.convert']);
});
