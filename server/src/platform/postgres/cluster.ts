import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Account, as } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError, lastLine } from './error.ts';

const run = promisify(execFile);

export const SUPERUSER = 'ams';
const PRIVATE = 0o700;
const DRAFT = 'postgres.new-';

/** Programs of PostgreSQL take their variables (PGDATA, PGPORT …) from here alone. */
export const CLEAN_ENVIRONMENT = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  // Tests set the clock of all processes at once by a library that is loaded first (libfaketime).
  ...Object.fromEntries(
    ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC']
      .filter((name) => process.env[name] !== undefined)
      .map((name) => [name, process.env[name]]),
  ),
};

const SETTINGS = [
  ...['shared_buffers=128MB', 'max_connections=100', 'timezone=UTC', 'log_timezone=UTC', 'log_checkpoints=off'],
  // Four processes less. Reading ahead is left to the kernel, and nobody subscribes to this database.
  ...['io_method=sync', 'max_logical_replication_workers=0'],
];

/**
 * The builtin C.UTF-8 orders text by code point, the same on every system and in every version,
 * so an index never changes its order under the data. Tunable settings go into postgresql.conf,
 * where an operator may change them.
 */
const INITDB_ARGS = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  // The socket lies in a folder that only its owner (and root) can enter: getting there is the proof.
  '--auth-local=trust',
  '--auth-host=reject',
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Makes the cluster in `dataDir/postgres` when there is none, and checks that it fits otherwise. */
export async function prepareCluster(dataDir: string, binaries: Binaries, account: Account): Promise<string> {
  const cluster = path.join(dataDir, 'postgres');
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await dropDrafts(dataDir);
    await createCluster(dataDir, cluster, binaries, account);
  } else if (version.trim() !== binaries.major) {
    throw new PostgresError(
      `${cluster} holds a database of PostgreSQL ${version.trim()}, this version brings ${binaries.major}: dump and restore it`,
    );
  } else if (account.handedOver && (await stat(cluster)).uid === 0) {
    await giveTo(account, cluster);
  }
  return realpath(cluster);
}

/** Under another name first: a cluster that bears the right name is whole. */
async function createCluster(dataDir: string, cluster: string, binaries: Binaries, account: Account): Promise<void> {
  const draft = path.join(dataDir, `${DRAFT}${process.pid}`);
  await mkdir(draft, { mode: PRIVATE });
  if (account.handedOver) await chown(draft, account.uid, account.gid);
  try {
    await run(binaries.initdb, ['-D', await addressOf(draft, account), ...INITDB_ARGS], {
      ...as(account),
      cwd: draft,
      env: CLEAN_ENVIRONMENT,
    });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new PostgresError(`The database cannot be created in ${cluster}: ${lastLine(stderr)}`);
  }
  await rename(draft, cluster);
}

/** Remains of starts that were killed half-way. */
async function dropDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(DRAFT));
  // The initdb of a server that was killed may still be writing into its draft.
  const stubborn = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  await Promise.all(drafts.map((name) => rm(path.join(dataDir, name), stubborn)));
}

/** A cluster restored by root from a backup. */
async function giveTo(account: Account, cluster: string): Promise<void> {
  for (const entry of await readdir(cluster, { recursive: true })) {
    await chown(path.join(cluster, entry), account.uid, account.gid);
  }
  await chown(cluster, account.uid, account.gid);
}

/**
 * How a program run by `account` names `folder`. Under a home closed to that account no path leads
 * to it, but a working folder set before root is given up stays open, and Linux names that one
 * `/proc/self/cwd`. So the data stay where the operator wants them, with no mode changed above.
 */
export async function addressOf(folder: string, account: Account): Promise<string> {
  const reachable = await run('test', ['-x', folder], { ...as(account), cwd: '/' }).then(
    () => true,
    () => false,
  );
  return reachable ? folder : '/proc/self/cwd';
}
