import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pairedDevice } from '../../../test/device.ts';
import { type Attacker, type Outcome, post } from '../../../test/hostile-files/post.ts';
import type { HostileFile } from '../../../test/hostile-files/file.ts';
import { scanBomb } from '../../../test/hostile-files/jpeg.ts';
import { killServer, ServerPrograms } from '../../../test/server-program.ts';
import { makeDatabase, startTestServer, type TestServer } from '../../../test/server.ts';
import { makeDb, makePool } from '../database/database.ts';
import { attempt, type Attempted, endAttempts } from './attempts.ts';
import { CrashError, LimitError } from './limits.ts';
import { parseContent } from './parse-content.ts';
import { findUnparsable, sha256Of } from './unparsable.ts';

const TASK = 'examine';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const remembered = async (sha256: string) =>
  server.deps.db.selectFrom('parse_attempts').selectAll().where('sha256', '=', sha256).execute();

/** A server process that lives until `die`. */
async function startProcess() {
  const id = randomUUID();
  const { db } = server.deps;
  // A beat from a little ahead outlives the test.
  await db
    .insertInto('server_processes')
    .values({ id, beat_at: new Date(Date.now() + 3000) })
    .execute();
  const deps = { db, processId: id };
  return {
    deps,
    /** Begins to parse a content and never ends. */
    parse: (sha256: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      void attempt(deps, { sha256, task: TASK }, async (begin) => {
        await begin();
        resolve();
        return new Promise<never>(() => undefined);
      });
      return promise;
    },
    die: () => db.deleteFrom('server_processes').where('id', '=', id).execute(),
  };
}

/** Servers that die one after the other while they parse a content. */
async function kill(times: number, sha256: string): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { parse, die } = await startProcess();
    await parse(sha256);
    await die();
  }
}

/** An attempt of this server with the end `end`. */
const attemptHere = (sha256: string, end: () => Promise<string> = async () => 'parsed'): Promise<Attempted<string>> =>
  attempt(server.deps, { sha256, task: TASK }, async (begin) => {
    await begin();
    return end();
  });

test('a content that three servers died of is not parsed again', async () => {
  const sha256 = randomUUID();
  await kill(3, sha256);
  const parse = vi.fn(async () => 'parsed');
  expect(await attemptHere(sha256, parse)).toEqual({ kind: 'refused', failure: 'unreadable' });
  expect(parse).not.toHaveBeenCalled();
  expect(await findUnparsable(server.deps.db, sha256)).toBe('unreadable');
  expect(await remembered(sha256)).toEqual([]);
});

test('a content that came to its end after two deaths has three attempts again', async () => {
  const sha256 = randomUUID();
  await kill(2, sha256);
  expect(await attemptHere(sha256)).toEqual({ kind: 'done', value: 'parsed' });
  expect(await remembered(sha256)).toEqual([]);
  await kill(2, sha256);
  expect(await attemptHere(sha256)).toEqual({ kind: 'done', value: 'parsed' });
});

test('another task that succeeds does not clear the attempts of the one that kills servers', async () => {
  const sha256 = randomUUID();
  await kill(2, sha256);
  const other = { sha256, task: 'pictureFacts' };
  expect(await attempt(server.deps, other, async (begin) => begin())).toMatchObject({ kind: 'done' });
  await kill(1, sha256);
  expect(await attemptHere(sha256)).toEqual({ kind: 'refused', failure: 'unreadable' });
});

test('however many servers parse identical contents when the power fails, that is one interrupted attempt', async () => {
  const sha256 = randomUUID();
  for (let failure = 1; failure <= 2; failure += 1) {
    const processes = await Promise.all(Array.from({ length: 4 }, startProcess));
    await Promise.all(processes.flatMap(({ parse }) => Array.from({ length: 5 }, () => parse(sha256))));
    await Promise.all(processes.map(({ die }) => die()));
    expect(new Set((await remembered(sha256)).map(({ number }) => number))).toEqual(new Set([1, failure]));
  }
  expect(await attemptHere(sha256)).toEqual({ kind: 'done', value: 'parsed' });
});

test('attempts that still run do not count, also after their process missed its beats', async () => {
  const sha256 = randomUUID();
  const { parse, die, deps } = await startProcess();
  await Promise.all(Array.from({ length: 10 }, () => parse(sha256)));
  expect(await attemptHere(sha256)).toEqual({ kind: 'done', value: 'parsed' });
  await die();
  const again = await attempt(deps, { sha256, task: TASK }, async (begin) => begin());
  expect(again.kind).toBe('done');
  expect((await remembered(sha256)).map(({ number }) => number)).toEqual(Array.from({ length: 10 }, () => 1));
});

test('the attempts of a server that stops in order do not count', async () => {
  const sha256 = randomUUID();
  const { parse, die, deps } = await startProcess();
  await parse(sha256);
  await endAttempts(deps.db, deps.processId);
  await die();
  expect(await remembered(sha256)).toEqual([]);
});

describe('an attempt whose parser', () => {
  const throwing = (error: Error) => async (): Promise<never> => {
    throw error;
  };

  test('is killed from outside three times is the last one', async () => {
    const sha256 = randomUUID();
    const killed = throwing(new CrashError(TASK, null, 'SIGKILL', ''));
    for (let time = 1; time <= 3; time += 1) await expect(attemptHere(sha256, killed)).rejects.toThrow('SIGKILL');
    expect(await attemptHere(sha256)).toEqual({ kind: 'refused', failure: 'unreadable' });
  });

  test.each([
    ['cannot be started', new CrashError(TASK, null, null, 'EAGAIN')],
    ['throws', new Error('the file was deleted')],
  ])('%s does not count', async (_, error) => {
    const sha256 = randomUUID();
    for (let time = 1; time <= 4; time += 1) {
      await expect(attemptHere(sha256, throwing(error))).rejects.toThrow(error.message);
    }
    expect(await remembered(sha256)).toEqual([]);
    expect(await attemptHere(sha256)).toMatchObject({ kind: 'done' });
  });

  test.each([
    ['exceeds a limit', new LimitError('cpu', TASK)],
    ['crashes', new CrashError(TASK, null, 'SIGSEGV', '')],
  ])('%s is the last one', async (_, error) => {
    const sha256 = randomUUID();
    await kill(1, sha256);
    expect(await attemptHere(sha256, throwing(error))).toEqual({ kind: 'refused', failure: 'tooDemanding' });
    expect(await findUnparsable(server.deps.db, sha256)).toBe('tooDemanding');
    expect(await remembered(sha256)).toEqual([]);
  });
});

test('hundreds of identical screenshots at the same moment are all parsed, and leave nothing behind', async () => {
  const bytes = await sharp({ create: { width: 64, height: 36, channels: 3, background: 'black' } })
    .jpeg()
    .toBuffer();
  const sha256 = sha256Of(bytes);
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => parseContent(server.deps, 'isWholeJpeg', sha256, { bytes, pixelsMax: 1e6 })),
  );
  expect(new Set(answers)).toEqual(new Set([true]));
  expect(await remembered(sha256)).toEqual([]);
  expect(await findUnparsable(server.deps.db, sha256)).toBeUndefined();
});

describe('a server that is killed each time it parses', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ams-attempts-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** As many scans as are taken, of as many pixels: decoding takes seconds. */
  const slow: Omit<HostileFile, 'target'> = {
    name: 'slow',
    extension: '.jpg',
    attacks: 'the server while it decodes',
    make: () => scanBomb(6320, 95),
  };

  test.each([
    ['a screenshot', 'screenshot', { kind: 'refused', status: 415, error: 'UNSUPPORTED_FORMAT' }],
    ['a picture', 'picture', { kind: 'failed', failure: 'unreadable' }],
  ] as const)('parses %s three times', { timeout: 120_000 }, async (_, target, end: Outcome) => {
    const { url: databaseUrl, ...connection } = await makeDatabase();
    const servers = new ServerPrograms(databaseUrl, path.join(folder, target));
    const db = makeDb(makePool({ ...connection, max: 2 }, server.deps.log));
    const file = { ...slow, target };
    const sha256 = sha256Of(await file.make());
    const numbers = async () => {
      const tasks = ['isWholeJpeg', 'examine'];
      const rows = await db.selectFrom('parse_attempts').select('number').where('task', 'in', tasks).execute();
      return rows.map(({ number }) => number);
    };
    const attackerAt = async (program: Pick<TestServer, 'url' | 'as' | 'login'>): Promise<Attacker> => {
      const admin = await program.login();
      const { secret } = await pairedDevice(program, admin);
      return { url: program.url, token: admin.token, secret };
    };
    try {
      for (let death = 1; death <= 3; death += 1) {
        const program = await servers.start();
        // A picture's job resumes by itself.
        if (death === 1 || target === 'screenshot') {
          void post(await attackerAt(program), file, 60_000).catch(() => undefined);
        }
        await vi.waitFor(async () => expect(await numbers()).toContain(death), { timeout: 30_000, interval: 20 });
        await killServer(program, connection);
      }
      const last = await servers.start();
      expect(await post(await attackerAt(last), file, 30_000)).toEqual(end);
      expect(await findUnparsable(db, sha256)).toBe('unreadable');
      expect(await numbers()).toEqual([]);
    } finally {
      await servers.end();
      await db.destroy();
    }
  });
});
