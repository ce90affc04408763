import { expect, test } from 'vitest';
import { hostileFiles } from '../../../test/hostile-files/corpus.ts';
import { post } from '../../../test/hostile-files/post.ts';
import { pairedDevice } from '../../../test/device.ts';
import { startTestServer } from '../../../test/server.ts';
import { findUnparsable, sha256Of } from './unparsable.ts';

const PATIENCE_MS = 100_000;
const server = await startTestServer();
const admin = await server.login();
const { secret } = await pairedDevice(server, admin);
const attacker = { url: server.url, token: admin.token, secret };

const named = (name: string) => {
  const file = hostileFiles().find((each) => each.name === name);
  if (!file) throw new Error(`the corpus has no ${name}`);
  return file;
};

test.each([
  ['jpeg of 883 scans', 'tooDemanding'],
  ['webm of one track 5,000 times', 'tooDemanding'],
])('%s fails once, and is not parsed when it is sent again', async (name, failure) => {
  const file = named(name);
  expect(await post(attacker, file, PATIENCE_MS)).toEqual({ kind: 'failed', failure });
  expect(await findUnparsable(server.deps.db, sha256Of(await file.make()))).toBe(failure);
  const children = new Set(server.deps.sandbox.pids);
  expect(await post(attacker, file, PATIENCE_MS)).toEqual({ kind: 'failed', failure });
  // No child was used up for it.
  expect(server.deps.sandbox.pids.filter((pid) => !children.has(pid))).toEqual([]);
});

test('a video that makes its parser allocate without limit fails, and the server survives', async () => {
  const outcome = await post(attacker, named('mp4 stts of 0x20000000 samples with ctts'), PATIENCE_MS);
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});

test.each(['mp4 stts of negative duration', 'mp4 ctts of extreme offsets', 'mkv of a cluster at 2^63'])(
  '%s, which exceeds the numbers of a database row, is unreadable',
  async (name) => {
    expect(await post(attacker, named(name), PATIENCE_MS)).toEqual({ kind: 'failed', failure: 'unreadable' });
  },
);

test('a screenshot of hundreds of scans is refused before it is decoded', async () => {
  const file = named('screenshot of 883 small scans');
  expect(await post(attacker, file, PATIENCE_MS)).toEqual({
    kind: 'refused',
    status: 415,
    error: 'UNSUPPORTED_FORMAT',
  });
  expect(await findUnparsable(server.deps.db, sha256Of(await file.make()))).toBeUndefined();
});
