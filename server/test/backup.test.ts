import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { Sealing } from '../src/platform/backup/seal.ts';
import { pairedDevice } from './device.ts';
import { addFile, makeMp4 } from './media.ts';
import { closedFolder, type Program, repository, start } from './programs.ts';
import { callersAt, dataOf, startTestServer } from './server.ts';

const PATIENCE = { timeout: 60_000, interval: 200 };
const folder = closedFolder();
const programs: Program[] = [];
afterAll(async () => {
  programs.forEach(({ child }) => child.kill('SIGTERM'));
  await Promise.all(programs.map(({ ended }) => ended));
  await rm(folder, { recursive: true, force: true });
});

const server = await startTestServer();
const admin = await server.login();

/** The address of a database, as a setting. */
const addressOf = ({ host, port, user, database }: pg.PoolConfig): string =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`;

async function emptyDatabase(name: string): Promise<string> {
  const client = new pg.Client(inject('postgres'));
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return addressOf({ ...inject('postgres'), database: name });
}

interface Place {
  DATABASE_URL: string;
  AMS_DATA: string;
}

const running: Place = { DATABASE_URL: addressOf(server.connection), AMS_DATA: server.config.data };

const keyFile = path.join(folder, 'away', 'backup.key');
const backupFile = path.join(folder, 'everything.tar');

function run(command: 'backup' | 'restore', place: Place, file: string, ...options: string[]): Program {
  const program = start(process.execPath, ['server/src/backup.ts', command, file, ...options], {
    cwd: repository,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...place },
  });
  programs.push(program);
  return program;
}

/** Every row of every table, in an order of its own, without the queue. */
async function everything(connection: pg.ClientConfig): Promise<Record<string, string>> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition and relpersistence = 'p' and relname not like 'kysely%' and relname <> 'server_processes'`,
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ all: string }>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as all from ${name} t`,
    );
    contents[name] = rows[0]?.all ?? '';
  }
  await client.end();
  return contents;
}

async function query<R extends pg.QueryResultRow>(database: string | undefined, statement: string): Promise<R[]> {
  const client = new pg.Client({ ...server.connection, ...(database && { database }) });
  await client.connect();
  try {
    return (await client.query<R>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('a running installation is saved and comes back somewhere else, row by row and byte by byte', async () => {
  const video = await makeMp4(7);
  const file = await addFile(server, admin, video, { name: 'clip.mp4', orientation: 'vertical', kind: 2 });
  const device = await pairedDevice(server, admin);
  await admin.calls.users.create({
    body: { username: 'Zoe1', phone: '+49 30 1234567', password: 'password2', role: 'member' },
  });
  dataOf(await admin.calls.devices.update({ params: { id: device.device.id }, body: { name: '"Café" \\ 門前' } }));
  // Nothing changes by itself any more.
  await vi.waitFor(
    async () => expect(await query(undefined, 'select sha256 from content_checks')).toHaveLength(1),
    PATIENCE,
  );
  const before = await everything(server.connection);

  await mkdir(path.dirname(keyFile));
  const saved = run('backup', running, backupFile, '--key', keyFile);
  expect([await saved.ended, saved.output()]).toEqual([0, expect.stringContaining('CREATED A NEW KEY')]);
  expect(saved.output()).toContain(keyFile);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect((await stat(backupFile)).mode & 0o777).toBe(0o600);
  expect(await everything(server.connection)).toEqual(before);

  const elsewhere = { DATABASE_URL: await emptyDatabase('restored'), AMS_DATA: path.join(folder, 'restored') };
  const restored = run('restore', elsewhere, backupFile, '--key', keyFile);
  expect([await restored.ended, restored.output()]).toEqual([0, expect.stringContaining('Restored')]);
  const after = await everything({ ...server.connection, database: 'restored' });
  for (const [table, rows] of Object.entries(before)) expect.soft(after[table], table).toBe(rows);

  const there = start(process.execPath, ['server/src/main.ts'], {
    cwd: repository,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', AMS_CAPTCHA: 'off', ...elsewhere },
  });
  programs.push(there);
  await there.says(/Account:[^]*\n\n/);
  const url = /Address: +(\S+)\//.exec(there.output())?.[1] ?? '';
  const calls = callersAt(url).as(admin.token);
  const again = dataOf(await calls.files.get({ params: { id: file.id } }));
  const media = await fetch(new URL(again.url ?? '', url));
  expect(Buffer.from(await media.arrayBuffer()).equals(video)).toBe(true);
  expect((await callersAt(url).as(device.secret).player.manifest()).code).toBe(200);
});

test('refuses to restore into an installation with data', async () => {
  const refused = run('restore', running, backupFile, '--key', keyFile);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('The target already contains an installation');
});

test('refuses to back up where no installation is, and makes no key for it', async () => {
  const nowhere = { DATABASE_URL: await emptyDatabase('nowhere'), AMS_DATA: path.join(folder, 'nowhere') };
  const [file, key] = ['nowhere.tar', 'nowhere.key'].map((name) => path.join(folder, name));
  const refused = run('backup', nowhere, file ?? '', '--key', key ?? '');
  expect([await refused.ended, refused.output()]).toEqual([1, expect.stringContaining('no installation')]);
  expect((await readdir(folder)).filter((name) => name.startsWith('nowhere.'))).toEqual([]);
});

test('the archive is an ordinary tar file, and further backups use the same key', async () => {
  const listed = spawnSync('tar', ['-tf', backupFile], { encoding: 'utf8' });
  expect([listed.status, listed.stderr]).toEqual([0, '']);
  expect(listed.stdout).toMatch(/^tables\/[^]*\nblobs\/[^]*\nbackup\.json\n$/);
  const second = run('backup', running, path.join(folder, 'second.tar'), '--key', keyFile);
  expect([await second.ended, second.output()]).toEqual([0, expect.not.stringContaining('NEW KEY')]);
});

interface Refusal {
  output: string;
  rows: string;
  blobs: string[];
}

let places = 0;

/** Restores a file into an empty target, which must fail, and returns what is left there. */
async function refusalOf(bytes: Buffer, ...options: string[]): Promise<Refusal> {
  const file = path.join(folder, 'spoilt.tar');
  await writeFile(file, bytes);
  const name = `spoilt_${++places}`;
  const place = { DATABASE_URL: await emptyDatabase(name), AMS_DATA: path.join(folder, name) };
  const program = run('restore', place, file, ...options);
  expect(await program.ended).toBe(1);
  const there = await everything({ ...server.connection, database: name });
  const blobs = await readdir(path.join(place.AMS_DATA, 'blobs'), { recursive: true }).catch(() => []);
  return { output: program.output(), rows: there['users'] ?? '', blobs: blobs.filter((blob) => blob.length > 64) };
}

const nothing = { rows: '', blobs: [] };
const ONE_LINE = /^[^\n]+\n$/;

/** An archive whose bytes were changed by somebody who has the key. */
async function resealed(bytes: Buffer): Promise<Buffer> {
  const sealing = new Sealing(Buffer.from((await readFile(keyFile, 'utf8')).trim(), 'hex'));
  const content = bytes.subarray(0, bytes.lastIndexOf('ams-backup-2'));
  sealing.resume().write(content);
  return Buffer.concat([content, Buffer.from(sealing.seal())]);
}

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** A flipped bit could make a letter of it that is no hexadecimal digit, which is another error. */
function changeDigit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(copy.toString('latin1', at, at + 1) === '0' ? '1' : '0', at);
  return copy;
}

test.each([
  ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'is truncated'],
  ['with a flipped bit in a stored file', (bytes: Buffer) => flip(bytes, bytes.indexOf('ftyp') + 100), 'changed'],
  ['with a flipped bit in the padding', (bytes: Buffer) => flip(bytes, 500), 'changed'],
  ['with another digit in the seal', (bytes: Buffer) => changeDigit(bytes, bytes.length - 5), 'changed'],
  ['not a backup at all', () => Buffer.from('hello'), 'not a backup'],
  ['empty', () => Buffer.alloc(0), 'not a backup'],
  ['of the format before', () => Buffer.from(`backup.json${'\0'.repeat(4000)}`), 'the older format'],
])('a file that is %s is refused in one line and leaves nothing behind', async (_how, spoil, said) => {
  const { output, ...left } = await refusalOf(spoil(await readFile(backupFile)), '--key', keyFile);
  expect(output).toMatch(ONE_LINE);
  expect(output).toContain(said);
  expect(left).toEqual(nothing);
});

test('refuses to restore without the key or with another key', async () => {
  const bytes = await readFile(backupFile);
  const without = await refusalOf(bytes);
  expect(without).toEqual({ output: expect.stringMatching(/^Specify the key [^\n]+\n$/), ...nothing });
  const another = path.join(folder, 'another.key');
  await writeFile(another, `${'ab'.repeat(32)}\n`);
  expect((await refusalOf(bytes, '--key', another)).output).toMatch(/another key\n$/);
  await writeFile(another, 'not a key');
  expect((await refusalOf(bytes, '--key', another)).output).toMatch(/is not a backup key\n$/);
});

test('restores without the key if asked to, and still detects damage', async () => {
  const bytes = await readFile(backupFile);
  const damaged = await refusalOf(flip(bytes, bytes.indexOf('ftyp') + 100), '--unauthenticated');
  expect(damaged).toEqual({ output: expect.stringMatching(/^[^\n]+ is damaged: [^\n]+\n$/), ...nothing });
  const place = { DATABASE_URL: await emptyDatabase('keyless'), AMS_DATA: path.join(folder, 'keyless') };
  expect(await run('restore', place, backupFile, '--unauthenticated').ended).toBe(0);
});

/** The archive's list, changed in place: as long as before, so that the tar file stays whole. */
function relisted(bytes: Buffer, change: (json: string) => string): Buffer {
  const begin = bytes.indexOf('{\n  "format": 2');
  const end = bytes.indexOf('\0', begin);
  const json = change(bytes.toString('utf8', begin, end));
  const changed = Buffer.from(
    json
      .replaceAll('\n  ', '\n')
      .replaceAll('  ', '')
      .padEnd(end - begin),
  );
  expect(changed.length).toBe(end - begin);
  return Buffer.concat([bytes.subarray(0, begin), changed, bytes.subarray(end)]);
}

test.each([
  ['a statement in place of a part of a table', `plays_1 for values; copy users to program 'touch /tmp/x'`, 'its list'],
  ['a part of a table that is not divided', 'users_1', 'an impossible part of a table: users_1'],
])('%s is not executed, even with a seal that fits', async (_what, partition, said) => {
  const spoilt = relisted(await readFile(backupFile), (json) => json.replace(/plays_20\d{6}/, partition));
  const { output, ...left } = await refusalOf(await resealed(spoilt), '--key', keyFile);
  expect(output).toMatch(ONE_LINE);
  expect(output).toContain(said);
  expect(left).toEqual(nothing);
});

test('detects a changed list: with the key by the seal, without it by the listed hashes', async () => {
  const bytes = await readFile(backupFile);
  const spoilt = relisted(bytes, (json) => json.replace(/("name": "users",\s+"rows": )2/, '$13'));
  expect((await refusalOf(spoilt, '--key', keyFile)).output).toContain('bytes are damaged, missing, added or changed');
  expect((await refusalOf(spoilt, '--unauthenticated')).output).toContain('has 2 of 3 rows');
});

test('a backup with a missing stored file contains everything else, lists the file and exits with code 1', async () => {
  const [lost] = await query<{ sha256: string }>(undefined, `select sha256 from files where name = 'clip.mp4'`);
  const name = lost?.sha256 ?? '';
  const place = path.join(server.config.data, 'blobs', name.slice(0, 2), name);
  const bytes = await readFile(place);
  for (const spoil of [() => rm(place), () => writeFile(place, flip(bytes, 100))]) {
    await spoil();
    const file = path.join(folder, 'lossy.tar');
    const saved = run('backup', running, file, '--key', keyFile);
    expect(await saved.ended).toBe(1);
    expect(saved.output()).toMatch(new RegExp(`^[^\n]+LOST[^\n]+${name} \\(clip.mp4\\)\n$`));
    const elsewhere = {
      DATABASE_URL: await emptyDatabase(`lossy_${++places}`),
      AMS_DATA: path.join(folder, `${places}`),
    };
    const restored = run('restore', elsewhere, file, '--key', keyFile);
    expect([await restored.ended, restored.output()]).toEqual([
      0,
      expect.stringContaining('Stored files missing from the backup: 1'),
    ]);
    expect(await query(`lossy_${places}`, 'select id from users')).toHaveLength(2);
  }
  await writeFile(place, bytes);
});

test('a full disk leaves no partial archive and keeps the previous one', async () => {
  const small = path.join(folder, 'small');
  await mkdir(small);
  const file = path.join(small, 'everything.tar');
  await writeFile(file, 'the one before');
  // The file size limit (ulimit) simulates a full disk: writing beyond it fails as well.
  const program = start(
    'bash',
    ['-c', `ulimit -f 8; exec "$0" server/src/backup.ts backup ${file} --key ${keyFile}`, process.execPath],
    {
      cwd: repository,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...running },
    },
  );
  programs.push(program);
  expect(await program.ended).toBe(1);
  expect(program.output()).toMatch(ONE_LINE);
  expect(await readdir(small)).toEqual(['everything.tar']);
  expect(await readFile(file, 'utf8')).toBe('the one before');
});
