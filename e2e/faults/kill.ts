import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localMac, makeClient, type Play, routes } from '@ams/contract';
import { makePicture } from '../media.ts';
import { dataOf, PASSWORD, RealServer } from '../server.ts';
import { Operator } from './operator.ts';

export interface Killed {
  kills: number;
  /** Acknowledged by the server before, between and after the kills. */
  acknowledged: { users: number; files: number; releases: number; plays: number };
  /** What was acknowledged and is not there, is there twice, or is there and nobody needs it. */
  wrong: string[];
  slowestStartMs: number;
}

const LIVE_MS = { least: 300, most: 2500 };
const AGAIN_MS = 100;
const PLAY_MS = 1000;
const PLAYS_A_BATCH = 5;

/** Repeats what a kill may have interrupted, as apps and machines do, until it is acknowledged or `over`. */
async function insist<T>(over: AbortSignal, what: () => Promise<T>): Promise<T | undefined> {
  while (!over.aborted) {
    try {
      return await what();
    } catch {
      await sleep(AGAIN_MS);
    }
  }
  return undefined;
}

/** Everything that somebody was told is done. */
class Ledger {
  readonly users: string[] = [];
  /** By the file's id, the hash of its content. */
  readonly files = new Map<string, string>();
  readonly releases: string[] = [];
  plays = 0;
}

/** A machine that says what it played, one batch after the other; a batch without an answer is sent again. */
class Reporter {
  readonly #secret = randomBytes(32).toString('base64url');
  readonly #origin: string;
  readonly mac = localMac(randomBytes(6));
  /** Every play ends where the next begins. */
  #at = Date.now() - 20 * 3_600_000;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async #post(url: string, body: object): Promise<unknown> {
    const reply = await fetch(this.#origin + url, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${this.#secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
    return reply.json();
  }

  async pair(operator: Operator): Promise<string> {
    const calls = makeClient(
      { player: { enrol: routes.player.enrol } },
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client parses what comes
      async ({ url, body }) => (await this.#post(url, body ?? {})) as never,
    );
    const state = dataOf(await calls.player.enrol({ body: { mac: this.mac } }));
    if (state.state !== 'pairing') throw new Error('paired already');
    return dataOf(await operator.calls.devices.pair({ body: { mac: this.mac, code: state.code } })).id;
  }

  batch(releaseId: string, sha256: string): { batch: string; plays: Play[] } {
    const plays = Array.from({ length: PLAYS_A_BATCH }, (): Play => {
      this.#at += PLAY_MS;
      return { releaseId, sha256, at: new Date(this.#at).toISOString(), durationMs: PLAY_MS, screen: 'main' };
    });
    return { batch: randomUUID(), plays };
  }

  report(batch: { batch: string; plays: Play[] }): Promise<unknown> {
    return this.#post(routes.player.plays.url, batch);
  }
}

/** Registrations, uploads, releases and plays at once. */
function load(
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
  const upload = async (turn: number): Promise<void> => {
    const picture = path.join(server.folder, `p${turn % 20}.png`);
    if (turn < 20) makePicture(picture, `0x${randomBytes(3).toString('hex')}`, '90x160');
    // Pictures may have anything behind their end: every upload is a content of its own.
    const bytes = new Uint8Array(Buffer.concat([readFileSync(picture), randomBytes(200_000)]));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const metadata = { name: `p${turn}.png`, screen: '1', type: '1' };
    const id = await operator.upload(bytes, metadata, 50_000).catch(() => undefined);
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
    const done = await insist(over, () => known.reporter.report(batch));
    if (done) ledger.plays += batch.plays.length;
  };
  const repeat = async (what: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !over.aborted; turn += 1) await what(turn).catch(() => sleep(AGAIN_MS));
  };
  return Promise.all([repeat(register), repeat(upload), repeat(upload), repeat(release), repeat(play)]);
}

interface Known {
  ad: string;
  device: string;
  release: string;
  sha256: string;
  reporter: Reporter;
}

async function prepare(server: RealServer, operator: Operator): Promise<Known> {
  const picture = path.join(server.folder, 'first.png');
  makePicture(picture, 'red', '90x160');
  const bytes = new Uint8Array(readFileSync(picture));
  const fileId = await operator.upload(bytes, { name: 'first.png', screen: '1', type: '1' });
  await operator.ready(fileId);
  const reporter = new Reporter(server.origin);
  const device = await reporter.pair(operator);
  const body = { name: 'One', screen: 1 as const, split: 'full' as const, regions: { full: [{ fileId, seconds: 1 }] } };
  const ad = dataOf(await operator.calls.ads.create({ body })).id;
  const { id: release } = dataOf(
    await operator.calls.ads.release({ params: { id: ad }, body: { devices: { ids: [device] } } }),
  );
  // It has been there for long enough to have been played.
  await server.row("update release_devices set started_at = now() - interval '1 day' returning 1 as n");
  await server.row("update releases set released_at = now() - interval '1 day' returning 1 as n");
  return { ad, device, release, sha256: createHash('sha256').update(bytes).digest('hex'), reporter };
}

const count = async (server: RealServer, query: string, ...values: unknown[]): Promise<number> =>
  Number((await server.row(query, ...values))?.['n']);

/** Compares what was acknowledged with what is there. */
async function compare(server: RealServer, operator: Operator, ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (what: string, wanted: number, found: number): void => {
    if (found !== wanted) wrong.push(`${what}: ${found} instead of ${wanted}`);
  };
  const ids = [...ledger.files.keys()];
  expect(
    'users',
    ledger.users.length,
    await count(server, 'select count(*) as n from users where username = any($1)', ledger.users),
  );
  expect('files', ids.length, await count(server, 'select count(*) as n from files where id = any($1::uuid[])', ids));
  expect(
    'releases',
    ledger.releases.length,
    await count(server, 'select count(*) as n from releases where id = any($1::uuid[])', ledger.releases),
  );
  expect('plays', ledger.plays, await count(server, 'select coalesce(sum(plays), 0) as n from play_days'));
  expect('single plays', ledger.plays, await count(server, 'select count(*) as n from plays'));
  for (const [id, sha256] of ledger.files) {
    const file = dataOf(await operator.calls.files.get({ params: { id } }));
    if (file.sha256 !== sha256) wrong.push(`file ${id} is another one`);
    const reply = await fetch(new URL(file.url ?? '', server.origin));
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong.push(`file ${id} does not come back`);
  }
  return wrong;
}

/** Has the cleaner think that a day went by since the last kill; then every content has an owner and every owner a content. */
async function clean(server: RealServer): Promise<string[]> {
  while (
    (await count(server, "select count(*) as n from graphile_worker.jobs where task_identifier like 'files_%'")) > 0
  ) {
    await sleep(AGAIN_MS);
  }
  await server.row("update uploads set touched_at = now() - interval '3 days' returning 1 as n");
  for (const task of ['files_clean_uploads', 'files_clean_blobs']) {
    await server.row('select graphile_worker.add_job($1)', task);
    while (
      (await count(server, 'select count(*) as n from graphile_worker.jobs where task_identifier = $1', task)) > 0
    ) {
      await sleep(AGAIN_MS);
    }
  }
  const row = await server.row(
    `select coalesce(array_agg(distinct name), '{}') as names
     from blobs, lateral (values (sha256), (play_sha256), (poster_sha256)) named (name) where name is not null`,
  );
  const named = new Set(Array.isArray(row?.['names']) ? row['names'].map(String) : []);
  const stored = new Set(
    readdirSync(path.join(server.folder, 'data/blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name),
  );
  return [
    ...[...stored].filter((name) => !named.has(name)).map((name) => `nobody needs the content ${name}`),
    ...[...named].filter((name) => !stored.has(name)).map((name) => `the content ${name} is gone`),
  ];
}

/** Ends the server without warning at random moments while much goes on, and looks what is left. */
export async function kill(port: number, kills: number): Promise<Killed> {
  const server = new RealServer({ port });
  const ledger = new Ledger();
  const over = new AbortController();
  let slowestStartMs = 0;
  try {
    await server.start();
    const operator = new Operator(server.origin);
    await operator.login();
    const known = await prepare(server, operator);
    const loaded = load(server, operator, ledger, known, over.signal);
    for (let turn = 0; turn < kills; turn += 1) {
      await sleep(LIVE_MS.least + Math.random() * (LIVE_MS.most - LIVE_MS.least));
      await server.stop('SIGKILL');
      const begin = performance.now();
      await server.start();
      slowestStartMs = Math.max(slowestStartMs, performance.now() - begin);
    }
    await sleep(LIVE_MS.most);
    over.abort();
    await loaded;
    const { users, files, releases, plays } = ledger;
    return {
      kills,
      acknowledged: { users: users.length, files: files.size, releases: releases.length, plays },
      wrong: [...(await compare(server, operator, ledger)), ...(await clean(server))],
      slowestStartMs: Math.round(slowestStartMs),
    };
  } finally {
    over.abort();
    await server.end();
  }
}

export default async function run(kills = 50): Promise<void> {
  console.log(await kill(4705, kills));
}
