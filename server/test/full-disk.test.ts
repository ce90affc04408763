import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callersAt, dataOf, type Session } from './server.ts';
import { makeMp4 } from './media.ts';
import { cleanUp, isRoot, type Program, start } from './programs.ts';
import { metadataOf, tusAt } from './tus.ts';

/** A true server whose data are on a small file system of their own: without one, nothing here is tested. */
const programs: Program[] = [];
const PATIENCE = { timeout: 60_000, interval: 200 };
const BALLAST_MB = 48;
let folder: string;
let url: string;
let admin: Session;

async function serve(): Promise<Program> {
  const program = start(process.execPath, ['server/src/main.ts'], {
    detached: true,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      AMS_DATA: path.join(folder, 'data'),
      AMS_CAPTCHA: 'off',
      AMS_ADMIN_PASSWORD: 'password1',
      AMS_DISK_RESERVE_MB: '16',
      AMS_BALLAST_MB: String(BALLAST_MB),
      LOG_LEVEL: 'warn',
    },
  });
  programs.push(program);
  await program.says(/Account:[^]*\n\n/);
  url = /Address:\s+(\S+)\//.exec(program.output())?.[1] ?? '';
  return program;
}

/** Somebody else takes all the room there is. */
const fill = (): void => {
  const file = path.join(folder, 'filler');
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k', 'oflag=append', 'conv=notrunc'], { stdio: 'ignore' });
  } catch {
    // It ends when nothing fits any more.
  }
};
/** The ballast with all its bytes: it is written piece by piece. */
const hasBallast = (): boolean =>
  statSync(path.join(folder, 'data/ballast'), { throwIfNoEntry: false })?.size === BALLAST_MB * 2 ** 20;
const empty = (): Promise<void> => rm(path.join(folder, 'filler'), { force: true });
const ready = async () => {
  const reply = await fetch(`${url}/ready`);
  return { status: reply.status, text: await reply.text() };
};
const add = (name: string) =>
  admin.calls.users.create({ body: { username: name, password: 'password1', role: 'member' } });

beforeAll(async () => {
  if (!isRoot) throw new Error('this test mounts a file system: run it as root');
  folder = await mkdtemp(path.join(tmpdir(), 'ams-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder]);
  await serve();
  admin = await callersAt(url).login();
});
afterAll(async () => {
  await cleanUp(programs, []);
  execFileSync('umount', ['--lazy', folder]);
  await rm(folder, { recursive: true, force: true });
});

test('a full disk is reported everywhere, allows reading and deleting, and is over when space is freed', async () => {
  await vi.waitFor(() => expect(hasBallast()).toBe(true), PATIENCE);
  const spare = dataOf(await add('spare1'));
  fill();
  await vi.waitFor(async () => expect((await ready()).text).toContain('STORAGE_FULL'), PATIENCE);
  expect(await add('nobody1')).toMatchObject({ code: 507, error: 'STORAGE_FULL' });
  const clip = await makeMp4(3);
  const begun = await tusAt(url, admin).request('POST', '/api/uploads', {
    'upload-length': String(clip.length),
    'upload-metadata': metadataOf({ name: 'a.mp4', orientation: 'vertical', kind: 2 }),
  });
  expect(begun.status).toBe(507);
  expect(dataOf(await admin.calls.home.summary())).toMatchObject({ storageFull: true });
  const member = await callersAt(url).login('spare1');
  expect(dataOf(await member.calls.home.summary())).toMatchObject({ storageFull: false });
  expect(dataOf(await admin.calls.users.delete({ params: { id: spare.id } }))).toBeNull();

  await empty();
  await vi.waitFor(async () => expect((await ready()).status).toBe(200), PATIENCE);
  expect(hasBallast()).toBe(true);
  dataOf(await add('somebody1'));
});

test('a server that is killed on a full disk starts on it, with the room of its ballast', async () => {
  const [before] = programs;
  before?.child.kill('SIGKILL');
  await before?.ended;
  fill();
  await serve();
  await vi.waitFor(async () => expect((await ready()).text).toContain('STORAGE_FULL'), PATIENCE);
  admin = await callersAt(url).login();
  await empty();
  await vi.waitFor(async () => expect((await ready()).status).toBe(200), PATIENCE);
  dataOf(await add('somebody2'));
});
