import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MediaFile } from '@ams/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { haltingFfmpeg, isAlive } from '../../test/ffmpeg.ts';
import { addFile, beginVideo, makeMedia, makeMp4, testPattern, untilFile } from '../../test/media.ts';
import { callersAt, dataOf, startTestServer, type TestServer } from '../../test/server.ts';
import { tasksOf } from '../features.ts';
import { startServer } from '../lifecycle.ts';
import { beginTurn, forgetTurns, takeTurn } from './turns.queries.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const PICTURE = { name: 'picture.gif', orientation: 'vertical', kind: 1 };
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'];

let folder: string;
let short: Buffer;
/** Two hours with a frame a minute. */
let long: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-fair-'));
  short = await makeMedia('a.mp4', ...testPattern('180x320', 1), ...HEVC);
  long = await makeMedia('a.mp4', '-f', 'lavfi', '-i', 'testsrc=size=180x320:rate=1/60:duration=7200', ...HEVC);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const started = (ffmpeg: { pid: () => Promise<number> }): Promise<number> =>
  vi.waitFor(
    async () => {
      const pid = await ffmpeg.pid();
      expect(isAlive(pid)).toBe(true);
      return pid;
    },
    { interval: 20, timeout: 25_000 },
  );

describe('order in a lane', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });

  test("an owner's hundredth piece of work comes after everybody else's first", async () => {
    const { db } = server.deps;
    const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const many: number[] = [];
    for (let n = 0; n < 100; n += 1) many.push(await takeTurn(db, 'short', one, 10));
    expect(many).toEqual(many.toSorted((a, b) => a - b));
    const first = await takeTurn(db, 'short', two, 10);
    expect(many.filter((turn) => turn < first)).toHaveLength(0);
    // Half of them are done: an owner that comes now starts from there, and waits for none of the others.
    await beginTurn(db, 'short', many[49] ?? 0);
    const late = await takeTurn(db, 'short', three, 10);
    expect(late).toBeGreaterThan(many[49] ?? 0);
    expect(late).toBeLessThanOrEqual(many[50] ?? 0);
    // Little work precedes much work.
    expect(await takeTurn(db, 'short', crypto.randomUUID(), 1)).toBeLessThan(late);
    await forgetTurns(db);
    expect(await takeTurn(db, 'short', one, 10)).toBe((many[99] ?? 0) + 10);
  });
});

test('a picture does not wait for videos', async () => {
  const program = path.join(folder, 'never');
  await writeFile(program, `#!/bin/sh\ncase " $* " in *" -i "*) exec sleep 60;; esac\nexec ffmpeg "$@"\n`);
  await chmod(program, 0o755);
  const server = await startTestServer({ AMS_FFMPEG: program });
  const [one, other] = [await server.createUser('member'), await server.createUser('member')];
  const videos: string[] = [];
  for (const seed of [1, 2, 3, 4]) videos.push(await beginVideo(server, one, await makeMp4(seed)));
  const picture = await makeMedia('a.gif', ...testPattern('90x160', 1));
  expect(await addFile(server, other, picture, PICTURE)).toMatchObject({ state: 'ready' });
  for (const id of videos) {
    await untilFile(one, id, { state: 'processing' });
    dataOf(await one.calls.files.delete({ params: { id } }));
  }
});

describe('a conversion that takes long', () => {
  test("does not hold up another owner's short one, and ends when its file is deleted at another process", async () => {
    const ffmpeg = await haltingFfmpeg(folder, 'long');
    const server = await startTestServer({ AMS_FFMPEG: ffmpeg.program });
    const [one, other] = [await server.createUser('member'), await server.createUser('member')];
    const second = await startServer(server.config, server.connection, pino({ level: 'error' }));
    try {
      const address = await second.listen({ port: 0, host: '127.0.0.1' });
      const id = await beginVideo(server, one, long);
      const pid = await started(ffmpeg);
      expect(await addFile(server, other, short, VIDEO)).toMatchObject({ state: 'ready', mime: 'video/mp4' });
      expect(await addFile(server, one, await makeMp4(5), VIDEO)).toMatchObject({ state: 'ready' });
      await untilFile(one, id, { state: 'processing' });

      const calls = callersAt(address).as(one.token);
      dataOf(await calls.files.delete({ params: { id } }));
      // Within a second where nothing else keeps the processors busy.
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 25_000, interval: 10 });
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from graphile_worker.jobs where key = ${`files:${id}`} and last_error is not null`.execute(
        server.deps.db,
      );
      expect(rows[0]?.n).toBe(0);
    } finally {
      await second.stop();
    }
  });

  test('yields to short ones once its pace is measured, and is completed later', { timeout: 60_000 }, async () => {
    // As many as work at once on a computer with several cores.
    const ffmpeg = await haltingFfmpeg(folder, 'slow', 0.5, 2);
    const server = await startTestServer({ AMS_FFMPEG: ffmpeg.program });
    const [one, two, other] = [
      await server.createUser('member'),
      await server.createUser('member'),
      await server.createUser('member'),
    ];
    const film = (seconds: number): Promise<Buffer> =>
      makeMedia('a.mp4', '-f', 'lavfi', '-i', `testsrc=size=180x320:rate=1/10:duration=${seconds}`, ...HEVC);
    const id = await beginVideo(server, one, await film(100));
    const pid = await started(ffmpeg);
    await beginVideo(server, two, await film(110));
    const second = await vi.waitFor(
      async () => {
        const last = await ffmpeg.pid();
        expect(last).not.toBe(pid);
        return last;
      },
      { interval: 20, timeout: 25_000 },
    );
    const waiting = await beginVideo(server, other, short);
    await untilFile(other, waiting, { state: 'ready' });
    // Which of the two yields first depends on their clocks.
    expect(isAlive(pid) && isAlive(second)).toBe(false);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { interval: 20, timeout: 25_000 });
    await untilFile(one, id, { state: 'ready' });
  });
});

describe('ffmpeg that is killed from outside', () => {
  test('is restarted', async () => {
    const ffmpeg = await haltingFfmpeg(folder, 'killed');
    const server = await startTestServer({ AMS_FFMPEG: ffmpeg.program });
    const member = await server.createUser('member');
    const id = await beginVideo(server, member, short);
    process.kill(await started(ffmpeg), 'SIGKILL');
    await untilFile(member, id, { state: 'ready', failure: null });
  });

  test('at every start is given up after the last attempt', async () => {
    const program = path.join(folder, 'doomed');
    await writeFile(program, `#!/bin/sh\ncase " $* " in *" -progress "*) kill -9 $$;; esac\nexec ffmpeg "$@"\n`);
    await chmod(program, 0o755);
    const server = await startTestServer({ AMS_FFMPEG: program });
    const member = await server.createUser('member');
    const id = await beginVideo(server, member, short);
    const key = `files:${id}`;
    const failedOnce = sql<{ payload: unknown }>`
      select payload from graphile_worker._private_jobs where key = ${key} and last_error is not null`;
    const payload = await vi.waitFor(
      async () => z.object({ payload: z.unknown() }).parse((await failedOnce.execute(server.deps.db)).rows[0]).payload,
      { timeout: 25_000 },
    );
    await untilFile(member, id, { state: 'processing' });
    const task = tasksOf(server.deps)['files_convert_short'];
    if (typeof task !== 'object') throw new Error('no such task');
    await task.run(payload, new AbortController().signal, true);
    await untilFile(member, id, { state: 'failed', failure: 'conversion' });
  });
});

describe('a content that another customer has', () => {
  test('goes through the same states, and takes its own time', async () => {
    const ffmpeg = await haltingFfmpeg(folder, 'second');
    const server = await startTestServer({ AMS_FFMPEG: ffmpeg.program });
    const [one, other] = [await server.createUser('member'), await server.createUser('member')];
    const first = await beginVideo(server, one, short);
    await started(ffmpeg);
    await untilFile(one, first, { progress: 40 });
    // While the first conversion waits, the second one's file shows nothing of it.
    const second = await beginVideo(server, other, short);
    await untilFile(other, second, { state: 'processing', progress: null, url: null, width: null });
    await ffmpeg.goOn();
    const ready = await untilFile(one, first, { state: 'ready' });

    const third = await server.createUser('member');
    const seen: MediaFile[] = [];
    const id = await beginVideo(server, third, short);
    const watched = untilFile(third, id, { state: 'ready' });
    seen.push(dataOf(await third.calls.files.get({ params: { id } })));
    expect(seen[0]).toMatchObject({ state: 'processing', mime: null, width: null, url: null, poster: null });
    const body = {
      name: 'Early',
      orientation: 'vertical' as const,
      split: 'full' as const,
      regions: { full: [{ kind: 'file' as const, fileId: id }] },
    };
    const ad = await third.calls.ads.create({ body });
    expect(ad).toMatchObject({ error: 'FILE_NOT_READY' });
    expect(await watched).toMatchObject({ sha256: ready.sha256, bytes: ready.bytes, mime: 'video/mp4' });
    // Nobody else notices.
    expect(dataOf(await one.calls.files.get({ params: { id: first } }))).toMatchObject({ state: 'ready' });
  });

  test('is examined for everybody except users that already see it', async () => {
    const program = path.join(folder, 'counted');
    // Content checks follow once for each content, whoever has it.
    const count = `case " $* " in *blackdetect*|*silencedetect*) ;; *" -i "*) echo >> "$0.log";; esac`;
    await writeFile(program, `#!/bin/sh\n${count}\nexec ffmpeg "$@"\n`);
    await chmod(program, 0o755);
    const runs = async () => (await readFile(`${program}.log`, 'utf8')).length;
    const server = await startTestServer({ AMS_FFMPEG: program });
    const leader = await server.createUser('leading');
    const bytes = await makeMp4(9);
    const one = await addFile(server, leader, bytes, VIDEO);
    const once = await runs();
    const again = await addFile(server, leader, bytes, { ...VIDEO, name: 'again.mp4' });
    expect(again).toMatchObject({ state: 'ready', sha256: one.sha256 });
    expect(await runs()).toBe(once);
    await addFile(server, await server.createUser('member'), bytes, VIDEO);
    expect(await runs()).toBe(2 * once);
  });
});
