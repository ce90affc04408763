import { randomBytes, randomUUID } from 'node:crypto';
import { localMac } from '@ams/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { pairedDevice } from '../../../../test/device.ts';
import { addFile, makeMp4 } from '../../../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../../../test/server.ts';
import { metadataOf, tusAt } from '../../../../test/tus.ts';
import { cleanIdempotencyKeys } from './once.ts';
import { type Answer, derive, type Intent, seal, unseal } from './seal.ts';

const server = await startTestServer({ LOG_LEVEL: 'silent' });
const admin = await server.login();
const file = await addFile(server, admin, await makeMp4(1), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
const { device } = await pairedDevice(server, admin);
const adBody = (name: string) => ({
  name,
  orientation: 'vertical' as const,
  split: 'full' as const,
  regions: { full: [{ kind: 'file' as const, fileId: file.id }] },
});
const ad = await admin.calls.ads.create({ body: adBody('Released') }).then(dataOf);

const newMac = (): string => localMac(randomBytes(6));
const newName = (): string => `u${randomBytes(6).toString('hex')}`;

interface Sent {
  method?: string;
  url: string;
  body?: unknown;
  key?: string;
  by?: Session;
}

/** Sends a raw request and returns status, body and headers. */
async function send({ method = 'POST', url, body, key = randomUUID(), by = admin }: Sent) {
  const reply = await fetch(server.url + url, {
    method,
    headers: {
      'authorization': `Bearer ${by.token}`,
      'idempotency-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

async function countOf(table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(server.deps.db);
  return rows[0]?.n ?? 0;
}

describe('requests with one idempotency key that arrive at once', () => {
  test.each([
    ['ads', '/api/ads', () => adBody('Twice')],
    ['releases', `/api/ads/${ad.id}/release`, () => ({ devices: { ids: [device.id] } })],
    ['invitations', '/api/invitations', () => ({ count: 1 })],
    ['devices', '/api/devices', () => ({ mac: newMac() })],
    ['users', '/api/users', () => ({ username: newName(), password: 'password1', role: 'member' })],
  ])('make one of %s, and all get the first answer', async (table, url, make) => {
    const [before, key, body] = [await countOf(table), randomUUID(), make()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => send({ url, body, key })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countOf(table)).toBe(before + 1);
  });

  test('begin one upload', async () => {
    const before = await countOf('uploads');
    const headers = {
      'upload-length': '100',
      'upload-metadata': metadataOf({ name: 'b.mp4', orientation: 'vertical', kind: 2 }),
      'idempotency-key': randomUUID(),
    };
    const uploads = tusAt(server.url, admin);
    const answers = await Promise.all([1, 2, 3].map(() => uploads.request('POST', '/api/uploads', headers)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((reply) => reply.headers.get('location'))).size).toBe(1);
    expect(await countOf('uploads')).toBe(before + 1);
  });
});

describe('a repetition', () => {
  test('gets the first answer with its status and type, a refusal too', async () => {
    const [key, mac] = [randomUUID(), newMac()];
    const made = dataOf(await admin.calls.devices.create({ body: { mac } }));
    const refused = await send({ url: '/api/devices', body: { mac }, key });
    expect(refused.status).toBe(409);
    dataOf(await admin.calls.devices.delete({ params: { id: made.id } }));
    const again = await send({ url: '/api/devices', body: { mac }, key });
    expect([again.status, again.text]).toEqual([409, refused.text]);
    expect(again.headers.get('content-type')).toBe(refused.headers.get('content-type'));
    expect((await send({ url: '/api/devices', body: { mac } })).status).toBe(200);
  });

  test('with another body or address is refused, and runs nothing', async () => {
    const key = randomUUID();
    await send({ url: '/api/devices', body: { mac: newMac() }, key });
    const before = await countOf('devices');
    for (const other of [
      { url: '/api/devices', body: { mac: newMac() } },
      { url: '/api/invitations', body: {} },
    ]) {
      const reply = await send({ ...other, key });
      expect([reply.status, JSON.parse(reply.text)]).toEqual([
        422,
        expect.objectContaining({ error: 'IDEMPOTENCY_KEY_REUSED' }),
      ]);
    }
    expect(await countOf('devices')).toBe(before);
  });

  test('of another account is a request of its own', async () => {
    const [key, dealer] = [randomUUID(), await server.createUser('leading')];
    const [mine, others] = [
      await send({ url: '/api/invitations', body: {}, key }),
      await send({ url: '/api/invitations', body: {}, key, by: dealer }),
    ];
    expect([mine.status, others.status]).toEqual([200, 200]);
    expect(mine.text).not.toBe(others.text);
  });

  test('is refused when the session has ended', async () => {
    const [key, dealer] = [randomUUID(), await server.createUser('leading')];
    await send({ url: '/api/invitations', body: {}, key, by: dealer });
    dataOf(await dealer.calls.session.logout());
    expect((await send({ url: '/api/invitations', body: {}, key, by: dealer })).status).toBe(401);
  });

  test('after a fault of the server runs again', async () => {
    const [key, body] = [randomUUID(), adBody('After a fault')];
    await sql`
      create function refuse_ads() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger refuse_ads before insert on ads execute function refuse_ads()`.execute(server.deps.db);
    expect((await send({ url: '/api/ads', body, key })).status).toBe(500);
    await sql`drop trigger refuse_ads on ads; drop function refuse_ads`.execute(server.deps.db);
    expect((await send({ url: '/api/ads', body, key })).status).toBe(200);
  });

  test('of a request whose process died is not run a second time', async () => {
    const [key, body] = [randomUUID(), { count: 1 }];
    const first = await send({ url: '/api/invitations', body, key });
    expect(first.status).toBe(200);
    await sql`update idempotency_keys set answer = null, process_id = ${randomUUID()}`.execute(server.deps.db);
    const before = await countOf('invitations');
    const reply = await send({ url: '/api/invitations', body, key });
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      409,
      expect.objectContaining({ error: 'OUTCOME_UNKNOWN' }),
    ]);
    expect(await countOf('invitations')).toBe(before);
  });

  test.each([-25, 25])('%d hours away by the database’s clock is a new request', async (hours) => {
    const [key, body] = [randomUUID(), { count: 1 }];
    const first = await send({ url: '/api/invitations', body, key });
    await sql`update idempotency_keys set made_at = now() + make_interval(hours => ${hours})`.execute(server.deps.db);
    const second = await send({ url: '/api/invitations', body, key });
    expect(second.status).toBe(200);
    expect(second.text).not.toBe(first.text);
    await sql`update idempotency_keys set made_at = now() + make_interval(hours => ${hours})`.execute(server.deps.db);
    await cleanIdempotencyKeys(server.deps.db);
    expect(await countOf('idempotency_keys')).toBe(0);
  });
});

test.each([' ', '\t', 'x'.repeat(256), 'two\twords'])('the key %j is refused', async (key) => {
  const reply = await send({ url: '/api/invitations', body: {}, key });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    400,
    expect.objectContaining({ details: { fields: [expect.objectContaining({ path: 'idempotency-key' })] } }),
  ]);
});

test('reading and signing in take no notice of a key', async () => {
  const before = await countOf('idempotency_keys');
  await send({ method: 'GET', url: '/api/devices' });
  await send({ url: '/api/login', body: { username: 'admin', password: 'password1' } });
  expect(await countOf('idempotency_keys')).toBe(before);
});

test('the stored row reveals neither the key nor the answer', async () => {
  const key = randomUUID();
  const { text } = await send({ url: '/api/invitations', body: { count: 1 }, key });
  const { rows } = await sql<{ row: Buffer }>`
    select id || fingerprint || answer as row from idempotency_keys`.execute(server.deps.db);
  const [code] = /[A-Z0-9]{8}/.exec(text) ?? [];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ row }) => row.includes(key) || row.includes(code ?? ''))).toEqual([]);
});

const intents: fc.Arbitrary<Intent> = fc.record({
  accountId: fc.uuid(),
  key: fc.string({ minLength: 1, maxLength: 255 }),
  request: fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
});
const answers: fc.Arbitrary<Answer> = fc.record({
  status: fc.integer({ min: 200, max: 499 }),
  headers: fc.dictionary(fc.string({ minLength: 1 }), fc.string()),
  body: fc.string(),
});

test('an answer is opened by its own intent alone', () => {
  fc.assert(
    fc.property(intents, intents, answers, (mine, others, answer) => {
      const { secret } = derive(mine);
      expect(JSON.stringify(unseal(seal(answer, secret), secret))).toBe(JSON.stringify(answer));
      fc.pre(JSON.stringify(mine) !== JSON.stringify(others));
      expect(() => unseal(seal(answer, secret), derive(others).secret)).toThrow('unable to authenticate');
    }),
  );
});

test('requests with the same text in other parts have other fingerprints', () => {
  const fingerprintOf = (...request: string[]) =>
    derive({ accountId: 'a', key: 'k', request }).fingerprint.toString('hex');
  expect(fingerprintOf('ab', 'c')).not.toBe(fingerprintOf('a', 'bc'));
});
