import { existsSync, promises as fs } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Route, routes } from '@ams/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { startServer } from '../src/lifecycle.ts';
import { addAd } from './ads.ts';
import { hostileFiles } from './hostile-files/corpus.ts';
import { post } from './hostile-files/post.ts';
import { pairedDevice } from './device.ts';
import { addFile, addPictureAd, upload } from './media.ts';
import { ADMIN, dataOf, makeDatabase, type Session, startTestServer } from './server.ts';
import { rowsOf } from './sheets.ts';
import { metadataOf, tusAt } from './tus.ts';

/** Classes of attacks that products like this one have fallen to, one test each. */
const ENROLMENT_KEY = 'enrolment key of this test';
const server = await startTestServer({ AMS_ENROLMENT_KEY: ENROLMENT_KEY });
const admin = await server.login();

const SCRIPT = '<script>alert(1)</script>';

/** Two customers of two dealers: neither may learn anything about the other. */
interface People {
  victim: Session;
  thief: Session;
  /** Belongings of the victim. */
  device: Awaited<ReturnType<typeof pairedDevice>>;
  file: string;
  ad: string;
  release: string;
}
let people: People;

beforeAll(async () => {
  const [one, other] = [await server.createUser('leading'), await server.createUser('leading')];
  const victim = await server.createUser('leading', one);
  const device = await pairedDevice(server, victim);
  // No other has a picture of these bytes.
  const secret = await sharp({ create: { width: 540, height: 960, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
  const file = await addFile(server, victim, secret, { name: 'gold.png', orientation: 'vertical', kind: 1 });
  const ad = await addAd(victim, 'Secret', file.id);
  const devices = { ids: [device.device.id] };
  const release = dataOf(await victim.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  people = { victim, thief: other, device, file: file.id, ad: ad.id, release: release.id };
});

const ask = (session: Session, url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + url, { headers: { authorization: `Bearer ${session.token}`, ...headers } });

interface Listed {
  name: string;
  url: string;
  /** Names of its parameters behind the question mark. */
  query: string[];
}

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) });
const namesIn = ({ query }: Route): string[] =>
  query ? Object.keys(Properties.parse(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })).properties) : [];

const endless = new Set(['home.live', 'player.socket']);

/** Every call of people that only reads, and names nothing in its path. */
const LISTS: Listed[] = Object.entries(routes).flatMap(([feature, table]) =>
  Object.entries(table as Record<string, Route>)
    .filter(([name, { method, url, access }]) => {
      const isRead = method === 'GET' && !url.includes(':') && access !== 'device';
      return isRead && !endless.has(`${feature}.${name}`);
    })
    .map(([name, route]) => ({ name: `${feature}.${name}`, url: route.url, query: namesIn(route) })),
);

const INJECTIONS = [
  "' or '1'='1",
  "x'; drop table users; --",
  '(select pg_sleep(600))',
  'created_at desc, (select password_hash from users limit 1)',
];

test('SQL through sort and filter parameters', async () => {
  const before = await sql<{ n: number }>`select count(*)::int as n from users`.execute(server.deps.db);
  for (const { url, query } of LISTS) {
    for (const [index, name] of query.entries()) {
      const injection = INJECTIONS[index % INJECTIONS.length] ?? '';
      const given =
        name === 'cursor' ? Buffer.from(JSON.stringify([injection, injection])).toString('base64url') : injection;
      const reply = await ask(people.thief, `${url}?${name}=${encodeURIComponent(given)}`);
      expect([200, 400, 404], `${url} ${name}`).toContain(reply.status);
      await reply.arrayBuffer();
    }
  }
  for (const injection of INJECTIONS) {
    const { devices, users } = people.victim.calls;
    expect(dataOf(await devices.list({ query: { q: injection } })).items).toEqual([]);
    expect(dataOf(await users.list({ query: { q: injection } })).items).toEqual([]);
  }
  const sorted = await ask(people.victim, `/api/devices?sort=${encodeURIComponent(INJECTIONS[3] ?? '')}`);
  expect([200, 400]).toContain(sorted.status);
  expect((await sql`select count(*)::int as n from users`.execute(server.deps.db)).rows).toEqual(before.rows);
});

test('Foreign ids in previews, exports, attachments, release targets and alert recipients', async () => {
  const { victim, thief, device, file, ad, release } = people;
  const { id, mac } = device.device;
  const mine = await pairedDevice(server, thief);
  const own = await addPictureAd(server, thief);
  for (const preview of [
    `/api/devices/${id}/screenshot`,
    `/api/devices/${id}/programme`,
    `/api/devices/${id}/files`,
    `/api/devices/${id}/history`,
    `/api/files/${file}`,
    `/api/ads/${ad}`,
    `/api/releases/${release}`,
    `/api/releases/${release}/devices`,
    `/api/users/${victim.user.id}`,
  ]) {
    expect([preview, (await ask(thief, preview)).status]).toEqual([preview, 404]);
  }
  // An address of media holds its own permission: without it, or with another's, there is nothing.
  const foreign = new URL(dataOf(await victim.calls.files.get({ params: { id: file } })).url ?? '', server.url);
  const others = dataOf(await thief.calls.files.list()).items[0]?.url ?? '';
  for (const query of ['', new URL(others, server.url).search, '?e=99999999999&s=AAAA']) {
    expect((await fetch(`${foreign.origin}${foreign.pathname}${query}`)).status).toBeGreaterThanOrEqual(400);
  }

  const chosen = await fetch(`${server.url}/api/devices/export`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${thief.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [id, mine.device.id] }),
  });
  const exported = chosen.ok ? JSON.stringify(rowsOf(new Uint8Array(await chosen.arrayBuffer()))) : '';
  expect(exported).not.toContain(mac);
  for (const filter of [`device=${id}`, `ad=${ad}`, `file=${file}`]) {
    const reply = await ask(thief, `/api/reports/plays/export?days=1&${filter}`);
    if (reply.ok) expect(JSON.stringify(rowsOf(new Uint8Array(await reply.arrayBuffer())))).not.toContain(mac);
    else expect(reply.status).toBe(404);
  }
  expect(await ask(thief, `/api/devices?owner=${victim.user.id}`).then((reply) => reply.text())).not.toContain(mac);

  const attached = {
    name: 'x',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: file }] },
  };
  expect(await thief.calls.ads.create({ body: attached })).toMatchObject({ code: 404 });
  const stolen = { params: { id: ad }, body: { devices: { ids: [mine.device.id] } } };
  expect(await thief.calls.ads.release(stolen)).toMatchObject({ code: 404 });
  const aimed = { params: { id: own.id }, body: { devices: { ids: [mine.device.id, id] } } };
  expect(await thief.calls.ads.release(aimed)).toMatchObject({ code: 404 });
  const given = { params: { id: mine.device.id }, body: { ownerId: victim.user.id } };
  expect((await thief.calls.devices.update(given)).code).toBe(404);
  await thief.calls.devices.list();

  const alerts = { email: null, webhook: null, offlineMinutes: 5, expiringDays: null };
  const before = dataOf(await victim.calls.alerts.get());
  const recipients = { ...alerts, userId: victim.user.id, user_id: victim.user.id, owner: victim.user.id };
  await thief.calls.alerts.update({ body: recipients });
  expect(dataOf(await victim.calls.alerts.get())).toEqual(before);
});

test('Stored script through user agent, headers, device names and screenshots', async () => {
  const headers = { 'user-agent': SCRIPT, 'accept-language': SCRIPT, 'x-forwarded-for': SCRIPT, 'referer': SCRIPT };
  await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: SCRIPT, password: SCRIPT }),
  });
  const owner = people.victim;
  const device = await pairedDevice(server, owner);
  const name = `=cmd|"/c calc"!A0 ${SCRIPT}`;
  dataOf(await owner.calls.devices.update({ params: { id: device.device.id }, body: { name } }));
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const sent = await fetch(`${server.url}/api/player/screenshot?screen=main`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${device.secret}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(Buffer.concat([picture, Buffer.from(SCRIPT)])),
  });
  expect(sent.status).toBe(200);

  const shown = await ask(owner, `/api/devices/${device.device.id}/screenshot`);
  expect(shown.headers.get('content-type')).toBe('image/jpeg');
  expect(shown.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  for (const { url } of LISTS) {
    const reply = await ask(admin, url, headers);
    expect([url, reply.headers.get('x-content-type-options')]).toEqual([url, 'nosniff']);
    expect(reply.headers.get('content-security-policy')).not.toMatch(/(script|default)-src [^;]*'unsafe-/);
    // It does not appear where a browser would run it; in JSON it is text.
    const type = reply.headers.get('content-type') ?? '';
    const body = await reply.text();
    if (!type.startsWith('application/json')) expect([url, body.includes(SCRIPT)]).toEqual([url, false]);
  }
  for (const page of ['/api/docs', `/api/docs?${SCRIPT}`, `/api/${SCRIPT}`, `/${SCRIPT}`]) {
    const reply = await fetch(server.url + page, { headers });
    const isHtml = reply.headers.get('content-type')?.startsWith('text/html') ?? false;
    expect([page, isHtml && (await reply.text()).includes(SCRIPT)]).toEqual([page, false]);
  }
  const table = rowsOf(new Uint8Array(await (await ask(owner, '/api/devices/export')).arrayBuffer()));
  const cells = table.flat().filter((cell) => cell.includes(SCRIPT));
  expect(cells).not.toEqual([]);
  for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
});

/** Columns that hold what nobody may read, whatever the table. */
const SECRET_COLUMN = 'secret|password|token|challenge|code_hash|enrolment';

async function secretsInDatabase(): Promise<string[]> {
  const { db } = server.deps;
  const columns = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name ~ ${SECRET_COLUMN} and data_type in ('text', 'bytea')`.execute(db);
  const values = await Promise.all(
    columns.rows.map(async ({ table, column }) => {
      const found = await sql<{ value: string | Buffer | null }>`
        select ${sql.ref(column)} as value from ${sql.table(table)}`.execute(db);
      return found.rows.map(({ value }) => value);
    }),
  );
  return values.flat().flatMap((value) => {
    if (value === null || value.length < 8) return [];
    const bytes = Buffer.from(value);
    const forms = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
    return typeof value === 'string' ? [value, ...forms] : forms;
  });
}

test('Tokens and secrets in any list or event', async () => {
  const { victim, device } = people;
  await victim.calls.session.beginSecondFactor({ body: { password: ADMIN.password } });
  await victim.calls.alerts.update({
    body: { email: null, webhook: 'https://hook.example/x', offlineMinutes: 5, expiringDays: null },
  });
  const stop = new AbortController();
  const live = await fetch(`${server.url}/api/live`, {
    headers: { authorization: `Bearer ${admin.token}` },
    signal: stop.signal,
  });
  let events = '';
  const reading = (async () => {
    for await (const chunk of live.body ?? []) events += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await device.open().then((channel) => channel.close());
  dataOf(await victim.calls.devices.update({ params: { id: device.device.id }, body: { name: 'renamed' } }));
  await vi.waitFor(() => expect(events).toContain('device'));
  stop.abort();
  await reading;

  const secrets = await secretsInDatabase();
  expect(secrets.length).toBeGreaterThan(10);
  const known = [...secrets, admin.token, victim.token, device.secret, ENROLMENT_KEY, '$argon2'];
  // Its own key for webhooks is what this call is for.
  const lists = LISTS.filter(({ name }) => name !== 'alerts.get');
  const answers = await Promise.all(lists.map(async ({ url }) => [url, await (await ask(admin, url)).text()] as const));
  const details = [
    `/api/devices/${device.device.id}`,
    `/api/users/${victim.user.id}`,
    `/api/releases/${people.release}`,
  ];
  for (const url of details) answers.push([url, await (await ask(admin, url)).text()]);
  for (const [url, answer] of [...answers, ['/api/live', events] as const]) {
    expect([url, known.filter((secret) => answer.includes(secret))]).toEqual([url, []]);
  }
});

/** Every path below a folder. */
const pathsIn = async (folder: string): Promise<string[]> => (await fs.readdir(folder, { recursive: true })).toSorted();

test('Zip-slip', { timeout: 180_000 }, async () => {
  const device = await pairedDevice(server, admin);
  const attacker = { url: server.url, token: admin.token, secret: device.secret };
  const archives = hostileFiles().filter(({ attacks }) => attacks === 'a path that leaves the folder');
  expect(archives.length).toBeGreaterThan(8);
  for (const archive of archives) {
    const outcome = await post(attacker, archive, 60_000);
    if (outcome.kind === 'refused') expect([archive.name, outcome.status < 500]).toEqual([archive.name, true]);
  }
  expect(existsSync('/tmp/ams-escaped')).toBe(false);
  const paths = await pathsIn(server.config.data);
  expect(paths.filter((one) => one.includes('escaped'))).toEqual([]);
});

const PATHS = [
  '../../escaped.png',
  '..\\..\\escaped.png',
  '/tmp/escaped.png',
  'a\0/../escaped.png',
  '%2e%2e%2fescaped.png',
];

test('Upload path traversal', async () => {
  const { thief } = people;
  const picture = await sharp({ create: { width: 9, height: 16, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
  for (const [index, name] of PATHS.entries()) {
    const bytes = Buffer.concat([picture, Buffer.from([index])]);
    const answer = await upload(server, thief, bytes, { name, filename: name, orientation: 'vertical', kind: 1 });
    if (answer.kind === 'refused') expect([name, answer.status]).toEqual([name, 400]);
    const app = await upload(server, thief, bytes, { kind: 'app', filename: `${name}.apk` });
    expect([name, app.kind]).toEqual([name, 'refused']);
  }
  const client = tusAt(server.url, thief);
  const kinds = metadataOf({ kind: '../../media', name: 'a.png', orientation: 'vertical' });
  const kind = await client.request('POST', '/api/uploads', { 'upload-length': '9', 'upload-metadata': kinds });
  expect(kind.status).toBeLessThan(500);
  for (const place of ['..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/etc/passwd', '..\\..\\etc\\passwd', '%00']) {
    for (const url of [`/api/uploads/${place}`, `/media/${place}`, `/media/${place}/poster`, `/player/${place}`]) {
      const reply = await ask(thief, url, { 'tus-resumable': '1.0.0' });
      expect([url, (await reply.text()).includes('root:')]).toEqual([url, false]);
      expect([url, reply.status < 500]).toEqual([url, true]);
    }
  }
  const paths = await pathsIn(server.config.data);
  expect(paths.filter((one) => one.includes('escaped'))).toEqual([]);
  expect(existsSync('/tmp/escaped.png')).toBe(false);
});

/** A request with a `Host` of its own, which `fetch` does not allow. */
function withHost(
  url: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      server.url + url,
      { method: body ? 'POST' : 'GET', headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } },
      (reply) => void text(reply).then((answer) => resolve({ status: reply.statusCode ?? 0, body: answer }), reject),
    );
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}

test('Host-header poisoning of QR codes and links', async () => {
  const enrol = (headers: Record<string, string>) => {
    const { mac, secret } = people.device;
    const body = {
      mac: mac.replace(/^../, '06'),
      screens: [{ width: 10, height: 10 }],
      timeZone: 'UTC',
      player: { version: '1', kind: 'x' },
    };
    return withHost('/api/player/enrol', { authorization: `Bearer ${secret}x`, ...headers }, body);
  };
  const plain = await enrol({ host: 'ads.example:8443' });
  expect(plain.body).toContain('http://ads.example:8443/scancode?');
  const forwarded = await enrol({
    'host': 'ads.example',
    'x-forwarded-host': 'evil.example',
    'forwarded': 'host=evil.example',
  });
  expect(forwarded.body).toContain('http://ads.example/scancode?');
  expect(forwarded.body).not.toContain('evil.example');
  for (const host of [
    'ads.example/evil?',
    'ads.example@evil.example',
    'a b',
    '"><script>',
    'ads.example#',
    '-x',
    '[::1',
    '[:::]',
    'ads.example:99999',
    '256.1.1.1',
    '192.0.2.1.5',
  ]) {
    expect([host, (await enrol({ host })).status]).toEqual([host, 400]);
    const wall = { subject: { kind: 'wall', title: 'Lobby', filter: {} } };
    const share = await withHost('/api/shares', { host, authorization: `Bearer ${admin.token}` }, wall);
    expect([host, share.status]).toEqual([host, 400]);
  }
  for (const host of ['localhost', '192.0.2.1:3000', '[2001:db8::1]:3000', 'ads.example.']) {
    expect([host, (await enrol({ host })).status]).toEqual([host, 200]);
  }
});

const TRACE = /\bat \S+ \(|\.ts:\d+|node_modules|\/server\/src|select |relation |SQLSTATE|Error:/;

type Sent = Pick<RequestInit, 'method' | 'body'> & { headers?: Record<string, string> };

test('Stack traces in answers', async () => {
  const json = { 'content-type': 'application/json' };
  const bad: [string, Sent][] = [
    ['/api/login', { method: 'POST', headers: json, body: '{"username":' }],
    ['/api/login', { method: 'POST', headers: json, body: '[[[[' }],
    ['/api/devices?limit=NaN&cursor=%7B', {}],
    ['/api/devices/not-an-id', {}],
    ['/api/%E0%A4%A', {}],
    ['/api/uploads', { method: 'POST', headers: { 'tus-resumable': '9' } }],
    ['/api/devices/import', { method: 'POST', headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
    ['/nowhere', { method: 'DELETE' }],
  ];
  const answers = await Promise.all(
    bad.map(async ([url, init]) => {
      const headers = { authorization: `Bearer ${admin.token}`, ...init.headers };
      return [url, await (await fetch(server.url + url, { ...init, headers })).text()] as const;
    }),
  );
  await sql`alter table screenshots rename to screenshots_away`.execute(server.deps.db);
  const broken = await ask(admin, `/api/devices/${people.device.device.id}/screenshot`);
  await sql`alter table screenshots_away rename to screenshots`.execute(server.deps.db);
  expect(broken.status).toBe(500);
  const body: unknown = await broken.json();
  expect(body).toEqual({
    code: 500,
    error: 'INTERNAL',
    message: expect.any(String),
    details: { requestId: expect.any(String) },
  });
  answers.push(['a fault of the server', JSON.stringify(body)]);
  for (const [url, answer] of answers) expect([url, TRACE.exec(answer)?.[0]]).toEqual([url, undefined]);
});

test('Default credentials', async () => {
  const { url: _, ...connection } = await makeDatabase();
  const data = await fs.mkdtemp(path.join(tmpdir(), 'ams-data-'));
  const config = readConfig({ PORT: '0', AMS_DATA: data, AMS_CAPTCHA: 'off', LOG_LEVEL: 'silent' });
  const fresh = await startServer(config, connection, pino({ level: 'silent' }));
  onTestFinished(async () => {
    await fresh.stop();
    await fs.rm(data, { recursive: true, force: true });
  });
  expect(config.host).toBe('127.0.0.1');
  expect(fresh.madePassword).toMatch(/^.{16,}$/);
  for (const password of ['admin', 'password', ADMIN.password, 'demo1234', '']) {
    const reply = await fresh.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { username: config.admin.username, password },
    });
    expect([password, [400, 401, 429].includes(reply.statusCode)]).toEqual([password, true]);
  }
});

test('a device downloads only content of its releases by hash, and cannot find out what else exists', async () => {
  const { victim, thief, device } = people;
  const { sha256 } = dataOf(await victim.calls.files.get({ params: { id: people.file } }));
  const stranger = await pairedDevice(server, thief);
  const status = async (secret: string, name: string): Promise<number> =>
    (await fetch(`${server.url}/media/${name}`, { headers: { authorization: `Bearer ${secret}` } })).status;
  for (const tail of ['', '/poster']) {
    expect(await status(device.secret, `${sha256}${tail}`)).toBe(200);
    expect(await status(stranger.secret, `${sha256}${tail}`)).toBe(404);
    expect(await status(stranger.secret, `${'0'.repeat(64)}${tail}`)).toBe(404);
  }
});
