import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../src/platform/postgres/until.ts';
import {
  type Account,
  checkoutFor,
  cleanUp,
  closedFolder,
  isDeserted,
  isRoot,
  ordinaryUser,
  processesOf,
  type Program,
  repository,
  start,
} from './programs.ts';
import { makeDatabase } from './server.ts';

const EVENTUALLY_MS = 20_000;
const NPM_START_LIMIT_MS = 240_000;

const folders: string[] = [];
const programs: Program[] = [];

function newFolder(owner?: Account): string {
  const folder = closedFolder(owner);
  folders.push(folder);
  return folder;
}

/** The server as `scripts/start.mjs` runs it, on a free port. */
function serve(
  data: string,
  settings: NodeJS.ProcessEnv = {},
  { account, checkout = repository }: { account?: Account; checkout?: string } = {},
): Program {
  const program = start(process.execPath, ['server/src/main.ts'], {
    ...account,
    cwd: checkout,
    detached: true,
    env: environment(data, settings),
  });
  programs.push(program);
  return program;
}

const environment = (data: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  AMS_DATA: data,
  AMS_CAPTCHA: 'off',
  LOG_LEVEL: 'error',
  ...settings,
});

/** Waits for the banner and returns the address in it. */
async function addressOf(program: Program): Promise<string> {
  await program.says(/Account:[^]*\n\n/);
  return /Address:\s+(\S+)\//.exec(program.output())?.[1] ?? '';
}

const passwordOf = (program: Program): string => /Password: (\S+)/.exec(program.output())?.[1] ?? '';

async function signIn(address: string, password: string): Promise<number> {
  const reply = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  return reply.status;
}

const health = async (address: string): Promise<number> => (await fetch(`${address}/health`)).status;

/** Stops like Ctrl-C in a terminal: signals every process of the group. */
const pressCtrlC = ({ child }: Program): boolean => process.kill(-(child.pid ?? 0), 'SIGINT');

afterEach(() => cleanUp(programs, folders));

describe('a server', () => {
  test('prints its address and the password of its first account, which works', async () => {
    const server = serve(newFolder());
    const address = await addressOf(server);
    expect(await health(address)).toBe(200);
    expect(await signIn(address, passwordOf(server))).toBe(200);
    expect(server.output()).toContain(`Player:   ${address}/player/`);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('told to end by %s leaves no process behind', async (signal) => {
    const data = newFolder();
    const server = serve(data);
    await addressOf(server);
    process.kill(-(server.child.pid ?? 0), signal);
    expect(await server.ended).toBe(0);
    expect(processesOf(data)).toEqual([]);
  });

  test('interrupted while it starts leaves no process behind', async () => {
    const data = newFolder();
    const server = serve(data);
    await until(() => existsSync(path.join(data, 'postgres/postmaster.pid')), EVENTUALLY_MS);
    pressCtrlC(server);
    await server.ended;
    expect(await isDeserted(data)).toBe(true);
  });

  test('a killed server keeps its data and prints its password only once', async () => {
    const data = newFolder();
    const first = serve(data);
    await addressOf(first);
    const password = passwordOf(first);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = serve(data);
    expect(await signIn(await addressOf(second), password)).toBe(200);
    expect(passwordOf(second)).toBe('');
  });

  test('on a folder in use ends with one line', async () => {
    const data = newFolder();
    const first = serve(data);
    await addressOf(first);
    const second = serve(data);
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(`Another server already uses the data folder ${data} (process ${first.child.pid})\n`);
    expect(await health(await addressOf(first))).toBe(200);
  });

  test('on a port in use ends with one line, and the next start prints the password', async () => {
    const data = newFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const server = serve(data, { PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken.*\\n$`));
    expect(processesOf(data)).toEqual([]);
    other.close();

    const next = serve(data);
    expect(await signIn(await addressOf(next), passwordOf(next))).toBe(200);
  });

  test.each([
    ['PORT', 'http'],
    ['AMS_CAPTCHA', 'maybe'],
    ['DATABASE_URL', 'mysql://localhost/ams'],
    ['AMS_ADMIN_PASSWORD', 'short'],
  ])('with %s=%s ends with one line that names the setting', async (name, value) => {
    const server = serve(newFolder(), { [name]: value });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(new RegExp(`^Setting ${name}\\b.*\\n$`));
  });

  test('runs without ffmpeg and reports its limits', async () => {
    const server = serve(newFolder(), { AMS_FFMPEG: '/nonexistent' });
    expect(await health(await addressOf(server))).toBe(200);
    expect(server.output()).toMatch(/ffmpeg.*videos/);
  });
});

describe('with DATABASE_URL', () => {
  test('a server uses that PostgreSQL and starts none', async () => {
    const data = newFolder();
    const { url } = await makeDatabase();

    const server = serve(data, { DATABASE_URL: url });
    expect(await signIn(await addressOf(server), passwordOf(server))).toBe(200);
    expect(existsSync(path.join(data, 'postgres'))).toBe(false);
  });

  test('that leads nowhere, a server ends with one line', async () => {
    const server = serve(newFolder(), { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/ams' });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/^.*ECONNREFUSED.*\n$/);
  });
});

describe.runIf(isRoot)('an ordinary user', () => {
  test('runs a server in a home that is closed to everybody else', async () => {
    const user = ordinaryUser();
    const data = newFolder(user);
    const server = serve(path.join(data, 'data'), {}, { account: user, checkout: checkoutFor(user, newFolder) });
    expect(await health(await addressOf(server))).toBe(200);
    pressCtrlC(server);
    expect(await server.ended).toBe(0);
    expect(processesOf(data)).toEqual([]);
  });
});

describe('npm start', () => {
  function npmStart(data: string): Program {
    const program = start('npm', ['start'], { detached: true, env: environment(data, {}) });
    programs.push(program);
    return program;
  }

  test(
    'builds what is missing once, serves it, and Ctrl-C ends all of it',
    async () => {
      const data = newFolder();
      const first = npmStart(data);
      const address = await addressOf(first);
      for (const page of ['/', '/player/']) {
        const reply = await fetch(address + page);
        expect([page, reply.status, reply.headers.get('content-type')]).toEqual([
          page,
          200,
          expect.stringContaining('html'),
        ]);
      }
      pressCtrlC(first);
      await first.ended;
      expect(processesOf(data)).toEqual([]);

      const second = npmStart(data);
      await addressOf(second);
      expect(second.output()).not.toMatch(/Installing|Building/);
    },
    NPM_START_LIMIT_MS,
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'told to end by %s, without its group, ends when the server has',
    async (signal) => {
      const data = newFolder();
      const started = npmStart(data);
      await addressOf(started);
      started.child.kill(signal);
      expect(await started.ended).toBe(0);
      expect(processesOf(data)).toEqual([]);
    },
    NPM_START_LIMIT_MS,
  );

  test(
    'killed without a chance to say goodbye leaves no process behind',
    async () => {
      const data = newFolder();
      const started = npmStart(data);
      await addressOf(started);
      started.child.kill('SIGKILL');
      expect(await isDeserted(data)).toBe(true);
    },
    NPM_START_LIMIT_MS,
  );

  test(
    'passes on how the server ended',
    async () => {
      const started = start('npm', ['start'], { env: environment(newFolder(), { PORT: 'http' }) });
      expect(await started.ended).toBe(1);
      expect(started.output()).toContain('Setting PORT: must be');
    },
    NPM_START_LIMIT_MS,
  );
});
