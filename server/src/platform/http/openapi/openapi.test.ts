import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ERRORS, routes, type RouteTable } from '@ams/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addFile, makeMp4 } from '../../../../test/media.ts';
import { repository } from '../../../../test/programs.ts';
import { ADMIN, startTestServer } from '../../../../test/server.ts';

const server = await startTestServer();
const INTEGRATOR = path.join(repository, 'e2e/integrator');

const Operation = z.looseObject({
  requestBody: z.object({ required: z.boolean() }).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(
    z.string(),
    z.looseObject({
      $ref: z.string().optional(),
      headers: z.unknown().optional(),
      content: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
const Document = z.looseObject({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.unknown()),
  }),
});

let folder: string;
let file: string;
let document: z.output<typeof Document>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-openapi-'));
  file = path.join(folder, 'openapi.json');
  const text = await (await fetch(`${server.url}/api/openapi.json`)).text();
  await writeFile(file, text);
  document = Document.parse(JSON.parse(text));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a package's program; rejects with its output when it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const ended = promisify(execFile)(process.execPath, [program, ...args], { cwd: repository, env, timeout: 100_000 });
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  return stdout + stderr;
}

const operationOf = (url: string, method: string): z.output<typeof Operation> =>
  Operation.parse(document.paths[url]?.[method]);

test('the document has no error or warning', async () => {
  const output = await run('node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--extends=recommended');
  expect(output).not.toMatch(/warning|error/i);
  expect(output).toContain('Your API description is valid');
});

test('a client that is generated from it compiles, and does the main job', async () => {
  const types = path.join(INTEGRATOR, 'api.gen.ts');
  await run('e2e/integrator/node_modules/openapi-typescript/bin/cli.js', file, '-o', types);
  await run('e2e/integrator/node_modules/typescript/bin/tsc', '-p', INTEGRATOR);
  const video = path.join(folder, 'clip.mp4');
  await writeFile(video, await makeMp4());
  const job = path.join(INTEGRATOR, 'main-job.ts');
  expect(await run(job, server.url, ADMIN.username, ADMIN.password, video)).toContain('released Autumn');
});

test('it has every call of the contract, at the address of the server', () => {
  expect(document.servers).toEqual([{ url: `${server.url}/api` }]);
  const missing = Object.entries<RouteTable>(routes).flatMap(([feature, table]) =>
    Object.entries(table).filter(([name, { url, method }]) => {
      const place = url.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}');
      return `${feature}.${name}` !== 'player.socket' && !document.paths[place]?.[method.toLowerCase()];
    }),
  );
  expect(missing).toEqual([]);
});

test('every address in it is one of the server', async () => {
  const [{ url } = { url: '' }] = document.servers;
  const unknown: string[] = [];
  for (const address of Object.keys(document.paths)) {
    const reply = await fetch(url + address.replace(/\{\w+\}/g, '0'.repeat(64)), { method: 'OPTIONS' });
    if (reply.status !== 204) unknown.push(address);
  }
  expect(unknown).toEqual([]);
});

test('a body is required where the server requires one', async () => {
  const boss = await server.login();
  const wrong: string[] = [];
  for (const { method, url, body } of Object.values<RouteTable>(routes).flatMap((table) => Object.values(table))) {
    if (!body) continue;
    const place = url.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}');
    const reply = await fetch(server.url + url.replace(/:\w+/g, '01900000-0000-7000-8000-000000000000'), {
      method,
      headers: { authorization: `Bearer ${boss.token}` },
    });
    const isRequired = operationOf(place, method.toLowerCase()).requestBody?.required;
    if (isRequired !== (reply.status === 400 || reply.status === 401)) wrong.push(`${method} ${url}`);
  }
  expect(wrong).toEqual([]);
});

test('files are answered in a type that it names', async () => {
  const boss = await server.login();
  const bytes = await sharp({ create: { width: 9, height: 16, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const { url, poster } = await addFile(server, boss, bytes, { name: 'a.jpg', orientation: 'vertical', kind: 1 });
  const report = '/api/reports/plays/export?from=2026-11-01&to=2026-11-02&group=day&format=';
  const typeOf = async (address: string | null) => {
    const reply = await fetch(new URL(address ?? '', server.url), {
      headers: { authorization: `Bearer ${boss.token}` },
    });
    expect(reply.status).toBe(200);
    return reply.headers.get('content-type')?.split(';')[0] ?? '';
  };
  const isNamed = (place: string, type: string): boolean => {
    const content = Object.keys(operationOf(place, 'get').responses['200']?.content ?? {});
    return content.includes(type) || content.includes(type.replace(/\/.*/, '/*'));
  };
  expect(isNamed('/media/{sha256}', await typeOf(url))).toBe(true);
  expect(isNamed('/media/{sha256}/poster', await typeOf(poster))).toBe(true);
  for (const format of ['xls', 'csv']) {
    expect(isNamed('/reports/plays/export', await typeOf(report + format))).toBe(true);
  }
});

test('logging in and any call with a session have the headers of one', () => {
  for (const [url, method] of [
    ['/login', 'post'],
    ['/register', 'post'],
    ['/devices', 'get'],
  ] as const) {
    const { headers } = operationOf(url, method).responses['200'] ?? {};
    expect(Object.keys(headers ?? {})).toEqual(['token', 'expires_in', 'role', 'current', 'superior', 'person']);
  }
});

test('each call lists its callers and its errors by name', () => {
  expect(operationOf('/login', 'post').security).toEqual([]);
  expect(operationOf('/users', 'get').security).toEqual([{ user: [] }]);
  expect(operationOf('/player/manifest', 'get').security).toEqual([{ device: [] }]);
  const { responses } = operationOf('/devices', 'post');
  expect(responses['409']?.$ref).toBe('#/components/responses/CHANGED_MEANWHILE.MAC_TAKEN.OUTCOME_UNKNOWN');
  const described = new Set(Object.keys(document.components.responses).flatMap((names) => names.split('.')));
  // Of addresses that the document does not have, and of devices that a batch leaves as they are.
  const unlisted = new Set(['METHOD_NOT_ALLOWED', 'TOO_MANY_TAGS']);
  expect(Object.keys(ERRORS).filter((name) => !described.has(name) && !unlisted.has(name))).toEqual([]);
});

test('the schemas of the contract keep their names', () => {
  for (const name of ['User', 'Device', 'MediaFile', 'Ad', 'Release', 'LoginBody', 'Failure']) {
    expect(document.components.schemas).toHaveProperty(name);
  }
});

test('uploads are described', () => {
  expect(Object.keys(document.paths['/uploads'] ?? {})).toEqual(['post', 'options']);
  expect(Object.keys(document.paths['/uploads/{id}'] ?? {})).toEqual([
    'parameters',
    'head',
    'patch',
    'delete',
    'options',
  ]);
});
