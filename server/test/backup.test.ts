import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { pairedMachine } from './machine.ts';
import { addFile, makeMp4 } from './media.ts';
import { closedFolder, type Program, repository, start } from './programs.ts';
import { callersAt, dataOf, startTestServer } from './server.ts';

const folder = closedFolder();
const programs: Program[] = [];
afterAll(() => programs.forEach(({ child }) => child.kill('SIGTERM')));

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

function run(command: 'backup' | 'restore', place: Place, file: string): Program {
  const program = start(process.execPath, ['server/src/backup.ts', command, file], {
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

const backupFile = path.join(folder, 'everything.tar');

test('a running installation is saved and comes back somewhere else, row by row and byte by byte', async () => {
  const video = await makeMp4(7);
  const file = await addFile(server, admin, video, { name: 'clip.mp4', screen: 1, type: 2 });
  const machine = await pairedMachine(server, admin);
  await admin.calls.users.create({
    body: { username: 'Zoe1', phone: '+49 30 1234567', password: 'password2', role: 'member' },
  });
  dataOf(await admin.calls.devices.patch({ params: { id: machine.device.id }, body: { name: '"Café" \\ 門前' } }));
  const before = await everything(server.connection);

  expect(await run('backup', running, backupFile).ended).toBe(0);
  expect(await everything(server.connection)).toEqual(before);

  const elsewhere = { DATABASE_URL: await emptyDatabase('restored'), AMS_DATA: path.join(folder, 'restored') };
  const restored = run('restore', elsewhere, backupFile);
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
  expect((await callersAt(url).as(machine.secret).player.manifest()).code).toBe(200);
});

test('a back-up is never mixed into what is there', async () => {
  const refused = run('restore', running, backupFile);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('There is an installation already');
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['with a flipped bit in a stored file', (bytes: Buffer) => flip(bytes, bytes.indexOf('ftyp') + 100)],
  ['no back-up at all', () => Buffer.from('hello')],
])('a file that is %s leaves nothing behind', async (_how, spoil) => {
  const file = path.join(folder, 'spoilt.tar');
  await writeFile(file, spoil(await readFile(backupFile)));
  const name = `spoilt_${programs.length}`;
  const place = { DATABASE_URL: await emptyDatabase(name), AMS_DATA: path.join(folder, name) };
  expect(await run('restore', place, file).ended).toBe(1);
  expect((await everything({ ...server.connection, database: name }))['users'] ?? '').toBe('');
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
