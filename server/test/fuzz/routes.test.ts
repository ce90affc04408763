import { isRaw, type Route, routes } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestServer } from '../server.ts';
import { nearlyTakenBy, takenBy, type Words } from './arbitrary.ts';
import { nastyBody, nastyText, nastyValue } from './hostile.ts';
import { type Answer, faultOf, send, type Wire } from './wire.ts';
import { growForeign, growTree, pictureOf, revive, type Things, type Tree } from './world.ts';

/**
 * Every route of the contract with input that is right, almost right and hostile: it never breaks the server, always
 * keeps to the contract, and never shows or changes what belongs to others. `FUZZ_REQUESTS` sets the number of requests.
 */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1500);
/** Callers delete, forbid and log out themselves: so often they get a new world. */
const REQUESTS_A_WORLD = 400;

// Each request comes from an address of its own, or limits would answer most of them.
const server = await startTestServer({ AMS_TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent' });

/** Which of a tree's things a field of that name means. */
const THINGS: Record<string, string[]> = {
  id: ['user', 'boss', 'device', 'file', 'ad', 'release', 'batch', 'app'],
  ids: ['device', 'file'],
  owner: ['user', 'boss'],
  ownerId: ['user', 'boss'],
  actor: ['user', 'boss'],
  fileId: ['file'],
  file: ['file'],
  device: ['device'],
  ad: ['ad'],
  releaseId: ['release'],
  sha256: ['sha256'],
  mac: ['mac'],
  code: ['code'],
  username: ['username'],
  updatedAt: ['updatedAt'],
};
const OTHER_WORDS: Record<string, string[]> = {
  timeZone: ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'utc', 'Etc/GMT+12', '+14:00'],
  mac: ['02:00:00:00:00:01', '0200.0000.0002', '02-00-00-00-00-03', '020000000004'],
  password: ['password1'],
  confirm: ['password1'],
  current: ['password1'],
  phone: ['+86 (10) 1234-5678', '12345'],
  remark: ['not paid'],
  webhook: ['https://hook.invalid/x', 'http://127.0.0.1:1/', 'http://[::1]/'],
  q: ['a', '%', '_', '\\', "'"],
  package: ['io.appium.settings'],
  cursor: [
    ['2026-11-21T00:00:00.000000Z', '01900000-0000-7000-8000-000000000000'],
    ['2026-11-21T00:00:00Z', 'x'],
    ['9999-12-31T23:59:59.9999999999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['0000-01-01T00:00:00Z', '01900000-0000-7000-8000-000000000000'],
    ['1', '01900000-0000-7000-8000-000000000000'],
    ['99999999999999999999', ''],
    ['-1', 'ABCDEFGH'],
    ['', '\0'],
    [{}, []],
    [],
    null,
  ].map((keyset) => Buffer.from(JSON.stringify(keyset)).toString('base64url')),
};

/** Calls with an invitation or a password reveal the superior, so they get only the caller's own. */
const INVITED: ReadonlySet<string> = new Set(['session.register', 'session.checkRegisterCode', 'session.login']);

const wordsOf =
  (call: string): Words =>
  (name) => [
    ...(THINGS[name] ?? []).flatMap((thing) => [`@own.${thing}@`, `@own.${thing}@`]),
    ...(INVITED.has(call) ? [] : (THINGS[name] ?? []).map((thing) => `@foreign.${thing}@`)),
    ...(OTHER_WORDS[name] ?? []),
  ];

type Caller = 'member' | 'boss' | 'device' | 'nobody';
const CALLERS: Record<Route['access'], Caller[]> = {
  open: ['nobody', 'member', 'device'],
  user: ['member', 'member', 'member', 'boss', 'boss', 'boss', 'device', 'nobody'],
  leading: ['boss', 'boss', 'boss', 'boss', 'boss', 'boss', 'member', 'nobody'],
  device: ['device', 'device', 'device', 'device', 'member', 'nobody'],
};

const ALL: [string, Route][] = Object.entries(routes).flatMap(([feature, table]) =>
  Object.entries(table).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
);

interface Shot {
  name: string;
  caller: Caller;
  params: unknown;
  query: unknown;
  body: unknown;
  /** A body that is sent unchanged instead. */
  rawBody: string | undefined;
  headers: Record<string, string>;
}

const headerValue = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });
const oddHeaders = fc.record(
  {
    'accept-language': fc.oneof(fc.constantFrom('zh', 'ar-EG', 'de-CH, fr;q=0.5', 'x'.repeat(2000)), headerValue),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"'), headerValue),
    'range': fc.oneof(fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3'), headerValue),
    'content-type': fc.constantFrom(
      'application/json; charset=utf-16',
      'text/plain',
      'image/jpeg',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'nonsense',
    ),
    'authorization': fc.oneof(fc.constantFrom('Bearer', 'Basic YTpi', 'Bearer a b'), headerValue),
    'origin': fc.constant('https://evil.example'),
    'x-forwarded-host': fc.constantFrom('evil.example', '"><script>'),
    'x-http-method-override': fc.constant('DELETE'),
    'cookie': headerValue,
  },
  { requiredKeys: [] },
);

const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Mostly what the route takes, often almost that, sometimes anything. */
function partOf(
  schema: Route['params'] | Route['query'],
  words: Words,
  hostile: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  if (!schema) return fc.constant(undefined);
  return fc.oneof(
    { weight: 5, arbitrary: takenBy(schema, words) },
    { weight: 3, arbitrary: nearlyTakenBy(schema, words) },
    { weight: 1, arbitrary: hostile },
  );
}

function shotAt([name, route]: [string, Route]): fc.Arbitrary<Shot> {
  const words = wordsOf(name);
  return fc.record({
    name: fc.constant(name),
    caller: fc.constantFrom(...CALLERS[route.access]),
    params: partOf(route.params, words, fc.record({ id: nastyText, code: nastyText, sha256: nastyText })),
    query: partOf(route.query, words, fc.dictionary(nastyText, nastyValue, { maxKeys: 3 })),
    body: partOf(route.body, words, nastyValue),
    rawBody: few(nastyBody),
    headers: few(oddHeaders).map((headers) => headers ?? {}),
  });
}

/** Spreadsheets are written by a worker each, which takes its time. */
const isSheet = ({ response }: Route): boolean => isRaw(response) && response.raw.includes('application/vnd.ms-excel');

const encode = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

interface World {
  own: Tree;
  foreign: Tree & { app: string };
}

/** The names of things become those of this world. */
function fill(text: string, { own, foreign }: World): string {
  const things: Record<string, Things> = {
    own: { ...own.things, app: foreign.app },
    foreign: { ...foreign.things, app: foreign.app },
  };
  return text.replace(/@(own|foreign)\.(\w+)@/g, (_, tree: string, thing: string) => things[tree]?.[thing] ?? '');
}

function wireOf(route: Route, shot: Shot, world: World): Wire {
  const params = Object.fromEntries(entriesOf(shot.params));
  const path = route.url.replace(/:(\w+)/g, (_, name: string) =>
    encode(fill(textOf(params[name] ?? ''), world) || 'x'),
  );
  const query = entriesOf(shot.query).map(([key, value]) => `${encode(key)}=${encode(fill(textOf(value), world))}`);
  const json = shot.body === undefined ? undefined : JSON.stringify(shot.body);
  const body = fill(shot.rawBody ?? json ?? '', world);
  const token = { member: world.own.member.token, boss: world.own.boss.token, device: world.own.device, nobody: '' };
  const sendsBody = route.method !== 'GET' && (shot.rawBody !== undefined || json !== undefined);
  return {
    method: route.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      ...(token[shot.caller] && { authorization: `Bearer ${token[shot.caller]}` }),
      ...(sendsBody && {
        'content-type': route.bodyType ?? 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
      'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`,
      ...shot.headers,
    },
    body: sendsBody ? body : undefined,
  };
}

/** A mark of the foreign tree that an answer shows and the request did not name. */
function leakOf(marks: string[], { headers, text }: Answer, wire: Wire): string | undefined {
  const shown = `${text}\n${decodeURIComponentOrNot(JSON.stringify(headers))}`;
  const named = `${decodeURIComponentOrNot(wire.path)}\n${wire.body?.toString() ?? ''}`;
  return marks.find((mark) => shown.includes(mark) && !named.includes(mark));
}

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Violations, one per call and kind. */
class Faults {
  readonly #texts = new Map<string, string>();

  add(name: string, fault: string, wire: Wire, { text }: Answer): void {
    const key = `${name}: ${fault.slice(0, 300)}`;
    if (!this.#texts.has(key))
      this.#texts.set(
        key,
        `${JSON.stringify({ ...wire, path: decodeURIComponentOrNot(wire.path) }).slice(0, 1500)}\n${text.slice(0, 500)}`,
      );
  }

  get all(): string[] {
    return [...this.#texts].map((lines) => lines.join('\n'));
  }
}

test(
  `${REQUESTS} requests: no fault, nothing against the contract, nothing of others`,
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const foreign = await growForeign(server);
    const before = await pictureOf(foreign.boss);
    const shots = fc.oneof(...ALL.map((call) => ({ weight: isSheet(call[1]) ? 1 : 4, arbitrary: shotAt(call) })));
    const routeOf = new Map(ALL);
    const faults = new Faults();
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < REQUESTS; sent += REQUESTS_A_WORLD) {
      const world: World = { own: await growTree(server, 'own'), foreign };
      const numRuns = Math.min(REQUESTS_A_WORLD, REQUESTS - sent);
      for (const shot of fc.sample(shots, { seed: seed + sent, numRuns })) {
        const route = routeOf.get(shot.name);
        if (!route) continue;
        const wire = wireOf(route, shot, world);
        const answer = await send(server.url, wire).catch((error: unknown): Answer => ({
          status: 599,
          headers: {},
          text: String(error),
        }));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const leak = leakOf(foreign.marks, answer, wire);
        const fault = faultOf(route, answer) ?? (leak && `shows ${leak}`);
        if (fault) faults.add(shot.name, fault, wire, answer);
        const isOut =
          answer.status === 401 && ['member', 'boss'].includes(shot.caller) && !shot.headers['authorization'];
        if (isOut || shot.name === 'session.logout') await revive(server.deps.db, world.own);
      }
    }
    console.log(`seed ${seed}, answers`, Object.fromEntries(statuses));
    expect(faults.all.join('\n\n')).toBe('');
    // Otherwise it would only meet closed sockets.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 8);
    expect(await pictureOf(foreign.boss)).toBe(before);
  },
  60_000 + REQUESTS * 100,
);
