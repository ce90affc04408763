import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig, SETTINGS } from '../src/config.ts';
import { ConfigError } from '../src/platform/process/config.ts';
import { withoutSecrets } from '../src/platform/auth/secrets.ts';
import { cleanUp, closedFolder, type Program, start } from './programs.ts';
import { makeDatabase } from './server.ts';

/** Characters that addresses give a meaning to, as passwords have them. */
const SECRET = 'Tr0ub4dor#3/x';
const ENCODED = encodeURIComponent(SECRET);

const folders: string[] = [];
const programs: Program[] = [];
afterEach(() => cleanUp(programs, folders));

const newFolder = (): string => {
  const folder = closedFolder();
  folders.push(folder);
  return folder;
};

/** The server with these settings and no others, as talkative as it gets. */
function serve(settings: NodeJS.ProcessEnv): Program {
  const program = start(process.execPath, ['server/src/main.ts'], {
    detached: true,
    env: { PATH: process.env.PATH, PORT: '0', AMS_DATA: newFolder(), LOG_LEVEL: 'trace', ...settings },
  });
  programs.push(program);
  return program;
}

/** The value, and the parts of it that a library may quote. */
const TRACES = [SECRET, ENCODED, 'Tr0ub4dor', '3/x'];
const expectNoTrace = (output: string): void => {
  for (const trace of TRACES) expect(output).not.toContain(trace);
};

const messageOf = (settings: NodeJS.ProcessEnv): string => {
  try {
    readConfig(settings);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : '';
  }
};

test.each(
  SETTINGS.flatMap((name) => [SECRET, '0', '-', `ftp://u:${SECRET}@h/`, ` ${SECRET}`].map((value) => [name, value])),
)('a wrong %s is refused without its value (%j)', (name = '', value = '') => {
  expectNoTrace(messageOf({ [name]: value }));
});

const root = path.resolve(import.meta.dirname, '../..');
const pageOf = (name: string): string => readFileSync(path.join(root, name), 'utf8');

test('the README has a row for every setting, and for the one of the demo', () => {
  const rows = pageOf('README.md').match(/^\| `[A-Z].*$/gm) ?? [];
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z\d_]+/g) ?? []);
  expect(named.toSorted()).toEqual([...SETTINGS, 'AMS_DEMO_PUBLIC'].toSorted());
});

test('documents and examples name no setting that does not exist', () => {
  const known = new Set([...SETTINGS, 'AMS_DEMO_PUBLIC', 'AMS_TEST_CLUSTER']);
  const places = ['docs', 'docs/deploy'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map(({ name }) => `${folder}/${name}`),
  );
  const named = ['README.md', 'CONTRIBUTING.md', ...places].flatMap(
    (name) => pageOf(name).match(/\b(?:AMS|S3|SMTP)_[A-Z][A-Z\d_]*\b/g) ?? [],
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test.each(['PUBLIC_URL', 'S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT'])('%s with a password in it is refused', (name) => {
  const message = messageOf({ [name]: `https://user:${ENCODED}@host.example/`, S3_BUCKET: 'media' });
  expect(message).toMatch(new RegExp(`^Setting ${name}: must not contain`));
  expectNoTrace(message);
});

test.each(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PUBLIC_ENDPOINT', 'S3_ENDPOINT'])(
  '%s without a bucket is refused, so that files are not stored on the disk by mistake',
  (name) => {
    expect(messageOf({ [name]: 'https://s3.example/' })).toBe(`Setting S3_BUCKET: is required with ${name}`);
  },
);

test.each([
  ['a query', 'https://ads.example.com/?from=qr'],
  ['a fragment', 'https://ads.example.com/#start'],
  ['a space', 'https://ads.example.com/a b'],
])('a PUBLIC_URL with %s is refused: codes and links begin with it', (_what, value) => {
  expect(messageOf({ PUBLIC_URL: value })).toMatch(/^Setting PUBLIC_URL: must /);
});

test('a PUBLIC_URL in capital letters is the same address', () => {
  expect(readConfig({ PUBLIC_URL: 'HTTPS://Ads.Example.com/' }).publicUrl).toBe('https://ads.example.com');
});

test.each(['AMS_QUOTA_MB', 'AMS_CALLS_PER_MINUTE', 'AMS_DISK_RESERVE_MB', 'PORT'])(
  '%s of spaces counts as unset, not as 0',
  (name) => {
    expect(readConfig({ [name]: '  ' })).toEqual(readConfig({}));
  },
);

test('a mistyped name of a setting is logged, without its value', async () => {
  const server = serve({
    AMS_SELFREGISTER: SECRET,
    DATABASE_URL: 'postgres://user@127.0.0.1:9/ams',
    LOG_LEVEL: 'warn',
  });
  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/AMS_SELFREGISTER[^\n]+unknown setting/);
  expectNoTrace(server.output());
});

describe('a server that does not start', () => {
  test.each([
    ['a password that the address does not encode', `postgres://user:${SECRET}@127.0.0.1:9/ams`],
    ['a database that is away', `postgres://user:${ENCODED}@127.0.0.1:9/ams`],
    ['a host that there is not', 'postgres://user@Tr0ub4dor.invalid/ams'],
    ['a password with an at sign', `postgres://user:x@${ENCODED}@127.0.0.1:9/ams`],
  ])('because of %s shows no part of DATABASE_URL', async (_why, url) => {
    const server = serve({ DATABASE_URL: url });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/could not start/);
    expectNoTrace(server.output());
  });

  test('because the database refuses the user shows no part of DATABASE_URL', async () => {
    const { url } = await makeDatabase();
    const wrong = new URL(url);
    wrong.username = 'Tr0ub4dor';
    wrong.password = ENCODED;
    const server = serve({ DATABASE_URL: wrong.href });
    expect(await server.ended).toBe(1);
    expectNoTrace(server.output());
  });

  test.each([
    ['HOST', 'Tr0ub4dor.invalid'],
    ['AMS_DATA', '/dev/null/Tr0ub4dor'],
  ])('because of %s does not show it', async (name, value) => {
    const server = serve({ [name]: value });
    expect(await server.ended).toBe(1);
    expectNoTrace(server.output());
  });
});

test('a server that starts with secrets that lead nowhere logs none of them', async () => {
  const { url } = await makeDatabase();
  const server = serve({
    DATABASE_URL: url,
    AMS_ADMIN_PASSWORD: SECRET,
    AMS_ENROLMENT_KEY: `${SECRET}-enrolment`,
    AMS_FFMPEG: path.join('/nowhere', SECRET),
    SMTP_URL: `smtp://user:${ENCODED}@127.0.0.1:9/`,
    S3_BUCKET: 'media',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_ACCESS_KEY_ID: `${SECRET}-id`,
    S3_SECRET_ACCESS_KEY: SECRET,
  });
  await server.says(/Account:[^]*\n\n/);
  expectNoTrace(server.output());
});

test('a message is cleaned of whole values first, then of their parts', () => {
  const environment = { DATABASE_URL: `postgres://user:${ENCODED}@db.internal:5432/ams` };
  expect(withoutSecrets(`Invalid URL ${environment.DATABASE_URL}`, environment)).toBe('Invalid URL [DATABASE_URL]');
  expect(withoutSecrets(`getaddrinfo ENOTFOUND db.internal, ${SECRET}`, environment)).toBe(
    'getaddrinfo ENOTFOUND [DATABASE_URL], [DATABASE_URL]',
  );
});
