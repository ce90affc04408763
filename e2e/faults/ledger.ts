import { createHash } from 'node:crypto';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { cleanStrays } from '../../server/src/blobs/blobs.service.ts';
import { DiskBlobs } from '../../server/src/blobs/disk-blobs.ts';
import { makeDb, makePool } from '../../server/src/platform/database/database.ts';
import { dataOf, type RealServer } from '../server.ts';
import type { Operator } from './operator.ts';

const LOOK_MS = 100;
const DAY_MS = 86_400_000;
const LONG_AGO = new Date(Date.now() - 3 * DAY_MS);

/** The number of acknowledged operations. */
export interface Acknowledged {
  users: number;
  files: number;
  releases: number;
  plays: number;
}

/** Every acknowledged operation. */
export class Ledger {
  readonly users: string[] = [];
  /** By the file's id, the hash of its content. */
  readonly files = new Map<string, string>();
  readonly releases: string[] = [];
  plays = 0;

  get acknowledged(): Acknowledged {
    const { users, files, releases, plays } = this;
    return { users: users.length, files: files.size, releases: releases.length, plays };
  }

  /** Acknowledged objects that are missing or duplicated, and orphans, as text. */
  async audit(server: RealServer, operator: Operator): Promise<string[]> {
    await settled(server);
    const rows = await compareRows(server, this);
    const files = await compareFiles(server, operator, this.files);
    await clean(server);
    return [...rows, ...files, ...(await leftOver(server))];
  }
}

const count = async (server: RealServer, query: string, ...values: unknown[]): Promise<number> =>
  Number((await server.row(`select count(*) as n from ${query}`, ...values))?.['n']);

async function untilNone(server: RealServer, query: string, ...values: unknown[]): Promise<void> {
  while ((await count(server, query, ...values)) > 0) await sleep(LOOK_MS);
}

/** Waits until every file has been examined: the interrupted work of a dead server is restarted. */
const settled = (server: RealServer): Promise<void> =>
  untilNone(
    server,
    `graphile_worker.jobs where task_identifier like 'files_%' and (attempts < max_attempts or locked_at is not null)`,
  );

async function compareRows(server: RealServer, { users, files, releases, plays }: Ledger): Promise<string[]> {
  const ids = [...files.keys()];
  const found: [what: string, wanted: number, found: number][] = [
    ['users', users.length, await count(server, 'users where username = any($1)', users)],
    ['files', ids.length, await count(server, 'files where id = any($1::uuid[])', ids)],
    ['releases', releases.length, await count(server, 'releases where id = any($1::uuid[])', releases)],
    ['plays', plays, await count(server, 'plays')],
    ['plays in sums', plays, Number((await server.row('select sum(plays) as n from play_days'))?.['n'] ?? 0)],
  ];
  return found.flatMap(([what, wanted, there]) => (wanted === there ? [] : `${what}: ${there} instead of ${wanted}`));
}

/** Every file is ready and comes back as it was sent. */
async function compareFiles(
  server: RealServer,
  operator: Operator,
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, sha256] of files) {
    const file = dataOf(await operator.calls.files.get({ params: { id } }));
    if (file.url === null) {
      wrong.push(`file ${id} is ${file.state}`);
      continue;
    }
    const reply = await fetch(new URL(file.url, server.origin));
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong.push(`file ${id} does not come back`);
  }
  return wrong;
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name))
    : [];

/** Storage of bytes that do not belong to a file yet. */
const unfinished = ({ folder }: RealServer): string[] =>
  ['uploads', 'staging', 'processing'].flatMap((name) => filesIn(path.join(folder, 'data', name)));

const blobsOf = ({ folder }: RealServer): string => path.join(folder, 'data/blobs');

const storedIn = (server: RealServer): string[] => filesIn(blobsOf(server));

/** Runs the cleaners as if three days had gone by. */
async function clean(server: RealServer): Promise<void> {
  // A killed server counts as living for some seconds, and what it worked on as not to be cleaned.
  await untilNone(server, 'upload_locks l join living_processes p on p.id = l.process');
  await server.row("update uploads set touched_at = now() - interval '3 days' returning 1 as n");
  for (const file of unfinished(server)) utimesSync(file, LONG_AGO, LONG_AGO);
  for (const task of ['files_clean_uploads', 'files_clean_blobs']) {
    await server.row('select graphile_worker.add_job($1)', task);
    await untilNone(server, 'graphile_worker.jobs where task_identifier = $1', task);
  }
  await cleanAllStrays(server);
}

/** The job spares what was stored within a day by its ctime, which no program can set: here everything counts as old. */
async function cleanAllStrays(server: RealServer): Promise<void> {
  const db = makeDb(makePool({ ...server.connection }, pino({ level: 'warn' })));
  try {
    await cleanStrays({ db, blobs: new DiskBlobs(blobsOf(server)) }, new Date(Date.now() + DAY_MS));
  } finally {
    await db.destroy();
  }
}

/** After cleaning every content has an owner, every owner a content, and nothing is unfinished. */
async function leftOver(server: RealServer): Promise<string[]> {
  const row = await server.row(
    `select coalesce(array_agg(distinct name), '{}') as names
     from blobs, lateral (values (sha256), (play_sha256), (poster_sha256)) named (name) where name is not null`,
  );
  const named = new Set(Array.isArray(row?.['names']) ? row['names'].map(String) : []);
  const stored = new Set(storedIn(server).map((file) => path.basename(file)));
  const uploads = await count(server, 'uploads');
  return [
    ...[...stored].filter((name) => !named.has(name)).map((name) => `nobody needs the content ${name}`),
    ...[...named].filter((name) => !stored.has(name)).map((name) => `the content ${name} is gone`),
    ...unfinished(server).map((file) => `nobody needs ${file}`),
    ...(uploads === 0 ? [] : [`${uploads} uploads are left`]),
  ];
}
