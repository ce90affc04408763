import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ContentChecks, FINDING_KINDS } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { addFile, makeMedia } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { LimitError } from '../platform/sandbox/limits.ts';
import { checkContent, queueOlder } from './checks.ts';

const server = await startTestServer();
await stopCrontab(server.deps.db);
let member: Session;

beforeAll(async () => {
  member = await server.createUser('member');
});

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const SIZE = 'size=540x960:rate=25';
const moving = (seconds: number) => `testsrc=${SIZE}:duration=${seconds}`;
const colour = (name: string, seconds: number) => `color=c=${name}:${SIZE}:duration=${seconds}`;
/** `volume` in decibels: 0 is a sine of an eighth of the full scale, about -21 LUFS on two channels. */
const tone = (seconds: number, volume: number) =>
  `sine=duration=${seconds},volume=${volume}dB,aformat=channel_layouts=stereo`;

/** Sources one after the other, with their pictures or their sounds. */
const chain = (kind: 'v' | 'a', sources: string[]): string[] => {
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-i', source]);
  const labels = sources.map((_, index) => `[${index}:${kind}]`).join('');
  const counts = kind === 'v' ? 'v=1:a=0' : 'v=0:a=1';
  return [...inputs, '-filter_complex', `${labels}concat=n=${sources.length}:${counts}[out]`, '-map', '[out]'];
};

const pictures = (...sources: string[]) => makeMedia('a.mp4', ...chain('v', sources), ...H264);

async function sounds(...sources: string[]): Promise<Buffer> {
  const video = ['-f', 'lavfi', '-i', moving(14)];
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-i', source]);
  const labels = sources.map((_, index) => `[${index + 1}:a]`).join('');
  const sound = ['-filter_complex', `${labels}concat=n=${sources.length}:v=0:a=1[out]`, '-map', '0:v', '-map', '[out]'];
  return makeMedia('a.mp4', ...video, ...inputs, ...sound, '-shortest', ...H264);
}

/** Black and white in turn, so many times a second. */
const strobe = (changes: number) =>
  makeMedia(
    'a.mp4',
    ...['-f', 'lavfi', '-i', `nullsrc=${SIZE}:duration=4`],
    ...['-vf', String.raw`geq=lum='if(mod(floor(T*${changes})\,2)\,235\,16)':cb=128:cr=128`],
    ...H264,
  );

async function checksOf(video: Buffer, kind = 2, filename = 'a.mp4'): Promise<ContentChecks> {
  const file = await addFile(server, member, video, { name: filename, orientation: 'vertical', kind });
  const ad = await addAd(member, 'Checked', file.id);
  const read = async () => dataOf(await member.calls.ads.checks({ params: { id: ad.id } }));
  await vi.waitFor(async () => expect((await read()).state).not.toBe('pending'), { timeout: 60_000, interval: 100 });
  return read();
}

/** Kinds and passages, in whole seconds. */
const seen = ({ findings }: ContentChecks) =>
  findings.map(({ kind, passages }) => [
    kind,
    ...passages.map(({ fromMs, toMs }) => [Math.round(fromMs / 1000), Math.round(toMs / 1000)]),
  ]);

test.each([
  ['a video that moves has no findings', () => pictures(moving(3)), []],
  ['a black passage is found', () => pictures(moving(2), colour('black', 5), moving(2)), [['black', [2, 7]]]],
  ['black until the end is found', () => pictures(moving(2), colour('black', 3)), [['black', [2, 5]]]],
  ['a frozen picture is found', () => pictures(moving(2), colour('red', 6), moving(1)), [['frozen', [2, 8]]]],
  ['silence is found', () => sounds(tone(4, 0), 'anullsrc=duration=6', tone(4, 0)), [['silent', [4, 10]]]],
  ['sound that is too loud is found', () => sounds(tone(5, -3), tone(4, 15), tone(5, -3)), [['tooLoud', [4, 10]]]],
  ['ten flashes a second are found', () => strobe(20), [['flashing', [0, 4]]]],
  ['two flashes a second are not', () => strobe(4), []],
])('%s', async (_what, make, expected) => {
  const checks = await checksOf(await make());
  expect(checks.state).toBe('complete');
  expect(seen(checks)).toEqual(expected);
});

test('a picture with few pixels for its region is found at once', async () => {
  const picture = await makeMedia('a.png', '-f', 'lavfi', '-i', 'testsrc=size=270x480', '-frames:v', '1');
  const checks = await checksOf(picture, 1, 'a.png');
  expect(checks.findings).toMatchObject([{ kind: 'tooSmall', region: 'full', passages: [], file: { name: 'a.png' } }]);
  expect(FINDING_KINDS).toContain('tooSmall');
});

test('a content is measured once, and one of an earlier version by the hourly job', async () => {
  const video = await pictures(colour('black', 3), moving(1));
  await checksOf(video);
  const counts = async () => {
    const { rows } = await sql<{ at: Date; sha256: string }>`
      select max(checked_at) as at from content_checks`.execute(server.deps.db);
    return rows[0]?.at;
  };
  const before = await counts();
  expect(seen(await checksOf(video))).toEqual([['black', [0, 3]]]);
  expect(await counts()).toEqual(before);

  await sql`delete from content_checks`.execute(server.deps.db);
  await queueOlder(server.deps);
  expect(seen(await checksOf(video))).toEqual([['black', [0, 3]]]);
});

/** A content that is known as a video, for which there is no job. */
async function storedVideo(): Promise<string> {
  const sha256 = createHash('sha256').update(randomBytes(8)).digest('hex');
  await server.deps.db.insertInto('blobs').values({ sha256, bytes: 1, state: 'ready', duration_ms: 1000 }).execute();
  return sha256;
}

test('a check that failed at all tries, as while the storage is away, is tried again by the hourly job', async () => {
  const { db } = server.deps;
  const sha256 = await storedVideo();
  await sql`
    select graphile_worker.add_job('files_check', ${JSON.stringify({ sha256 })}::json,
      job_key => ${`files:check:${sha256}`}, run_at => now() + interval '1 hour')`.execute(db);
  const tries = sql<{ left: boolean }>`
    select attempts < max_attempts as left from graphile_worker.jobs where key = ${`files:check:${sha256}`}`;
  await sql`
    update graphile_worker._private_jobs set attempts = max_attempts where key = ${`files:check:${sha256}`}`.execute(
    db,
  );
  expect((await tries.execute(db)).rows).toEqual([{ left: false }]);
  await queueOlder({ ...server.deps, conversion: true });
  expect((await tries.execute(db)).rows).toEqual([{ left: true }]);
});

test('a check whose parser exceeds a limit is not tried again', async () => {
  const { db, sandbox, blobs } = server.deps;
  const sha256 = await storedVideo();
  const borrow = vi.spyOn(blobs, 'borrow').mockResolvedValue({ path: '', [Symbol.asyncDispose]: async () => {} });
  const run = vi.spyOn(sandbox, 'run').mockRejectedValue(new LimitError('cpu', 'videoFacts'));
  onTestFinished(() => [borrow, run].forEach((spy) => spy.mockRestore()));
  await checkContent({ ...server.deps, conversion: true }, { sha256 }, server.deps.stopping, false);
  const { rows } = await sql`select measured from content_checks where sha256 = ${sha256}`.execute(db);
  expect(rows).toEqual([{ measured: null }]);
});

test('a video that cannot be measured stays usable, and people are told', async () => {
  const file = await addFile(server, member, await pictures(moving(2)), {
    name: 'b.mp4',
    orientation: 'vertical',
    kind: 2,
  });
  await sql`
    insert into content_checks (sha256, measured) values (${file.sha256}, null)
    on conflict (sha256) do update set measured = null`.execute(server.deps.db);
  const ad = await addAd(member, 'Checked', file.id);
  const checks = dataOf(await member.calls.ads.checks({ params: { id: ad.id } }));
  expect(checks).toEqual({ state: 'incomplete', findings: [] });
});

test('a check that is ended together with its server, at its last try, is made another time', async () => {
  const { db, config } = server.deps;
  const file = await addFile(server, member, await pictures(moving(1)), {
    ...{ name: 'a.mp4', orientation: 'vertical', kind: 2 },
  });
  const isChecked = async () =>
    (await sql`select from content_checks where sha256 = ${file.sha256}`.execute(db)).rows.length === 1;
  await vi.waitFor(async () => expect(await isChecked()).toBe(true), { timeout: 30_000 });
  await sql`delete from content_checks where sha256 = ${file.sha256}`.execute(db);
  const program = path.join(config.data, 'doomed');
  await writeFile(program, '#!/bin/sh\nkill -TERM $$\n', { mode: 0o755 });
  const check = (stopping: AbortSignal) =>
    checkContent(
      { ...server.deps, stopping, config: { ...config, ffmpeg: program } },
      { sha256: file.sha256 },
      new AbortController().signal,
      true,
    );
  await expect(check(AbortSignal.abort())).rejects.toThrow('ffmpeg ended');
  expect(await isChecked()).toBe(false);
  await check(new AbortController().signal);
  expect(await isChecked()).toBe(true);
});
