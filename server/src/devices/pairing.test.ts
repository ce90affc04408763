import { randomBytes } from 'node:crypto';
import { addDays, localMac, localTime } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeDevice, pairedDevice, type TestDevice } from '../../test/device.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const KEY = 'the key of this installation';
const server = await startTestServer({
  AMS_ENROLMENT_KEY: KEY,
  AMS_TRUST_PROXY: '127.0.0.1',
  AMS_TRIAL_DAYS: '14',
});
const admin = await server.login();
const { db } = server.deps;

const newMac = (): string => localMac(randomBytes(6));
const byKey = async (device: TestDevice) =>
  dataOf(await device.calls.player.enrol({ body: { mac: device.mac, enrolmentKey: KEY } }));
const wrongFor = (code: string): string => (code === '000000' ? '111111' : '000000');
/** Calls that come from this address. */
const from = (address: string, token: string) => server.as(token, { 'x-forwarded-for': address });
const lastAudit = async (session: Session) => dataOf(await session.calls.users.listAudit()).items[0];

/** A device that a leading user added; its MAC alone is known. */
async function added(mac = newMac(), ownerId?: string): Promise<TestDevice & { id: string }> {
  const { id } = dataOf(await admin.calls.devices.create({ body: { mac, ...(ownerId && { ownerId }) } }));
  return { ...makeDevice(server, mac), id };
}

test('the enrolment key pairs only devices that a leading user added and that were never paired', async () => {
  const device = await added();
  expect(
    dataOf(await device.calls.player.enrol({ body: { mac: device.mac, enrolmentKey: 'not the key' } })),
  ).toMatchObject({ state: 'pairing' });
  expect(await byKey(device)).toEqual({ state: 'paired' });
  expect(await lastAudit(admin)).toMatchObject({
    action: 'devices.pair',
    actor: null,
    target: device.mac,
    targetId: device.id,
    details: { kind: 'key', address: '127.0.0.1' },
  });
  expect(await byKey(makeDevice(server, newMac()))).toMatchObject({ state: 'pairing' });
  // Another device under the same MAC, while the first is offline.
  const thief = makeDevice(server, device.mac);
  expect(await byKey(thief)).toMatchObject({ state: 'pairing' });
  expect(await thief.calls.player.manifest()).toMatchObject({ code: 401 });
  expect((await device.manifest()).device.id).toBe(device.id);
  // A leading user frees the MAC by deleting and adding the device.
  dataOf(await admin.calls.devices.delete({ params: { id: device.id } }));
  expect(await byKey(makeDevice(server, device.mac))).toMatchObject({ state: 'pairing' });
  await added(device.mac);
  expect(await byKey(makeDevice(server, device.mac))).toEqual({ state: 'paired' });
});

test('of two that come with the key at once, one is paired', async () => {
  const { mac } = await added();
  const states = await Promise.all(Array.from({ length: 5 }, () => byKey(makeDevice(server, mac))));
  expect(states.filter(({ state }) => state === 'paired')).toHaveLength(1);
});

test('the code alone pairs; with a MAC it must be the MAC of the device that shows it', async () => {
  const device = makeDevice(server);
  const { code } = await device.enrol();
  const pair = (body: { code: string; mac?: string }) => admin.calls.devices.pair({ body });
  expect(await pair({ code, mac: newMac() })).toMatchObject({ code: 422, error: 'BAD_PAIRING_CODE' });
  const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
  expect(dataOf(await pair({ code: typed })).mac).toBe(device.mac);
  expect(await lastAudit(admin)).toMatchObject({
    action: 'devices.pair',
    target: device.mac,
    details: { kind: 'new', address: '127.0.0.1', operatorAddress: '127.0.0.1' },
  });
});

test('a code is read in the digits of an Arabic or a Japanese keyboard', async () => {
  for (const zero of [0x660, 0x6f0, 0xff10]) {
    const device = makeDevice(server);
    const { code } = await device.enrol();
    const typed = code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    expect(dataOf(await admin.calls.devices.pair({ body: { code: typed } })).mac).toBe(device.mac);
  }
});

test('no two devices show the same code', async () => {
  const codes = await Promise.all(Array.from({ length: 100 }, async () => (await makeDevice(server).enrol()).code));
  expect(new Set(codes).size).toBe(100);
  await expect(sql`update pairings set code = ${codes[0]} where code = ${codes[1]}`.execute(db)).rejects.toThrow(
    'pairings_code',
  );
  await sql`delete from pairings`.execute(db);
});

test('a stranger that pairs a fake device under a MAC does not receive the real one', async () => {
  const stranger = await server.createUser('member');
  const victim = await server.createUser('member');
  const mac = newMac();
  const [fake, real] = [makeDevice(server, mac), makeDevice(server, mac)];
  const shown = await real.enrol();
  const { device } = await pairedAs(stranger, fake);
  // The real one stays as it was: unpaired, with its own code.
  expect(await real.enrol()).toMatchObject({ state: 'pairing', code: shown.code });
  expect(await byKey(real)).toMatchObject({ state: 'pairing', code: shown.code });
  const refused = await victim.calls.devices.pair({ body: { code: shown.code } });
  expect(refused).toMatchObject({ code: 409, error: 'DEVICE_OWNED' });
  expect(JSON.stringify(refused)).not.toContain(stranger.user.username);
  expect(await victim.calls.devices.previewPair({ body: { code: shown.code } })).toMatchObject({
    error: 'DEVICE_OWNED',
  });
  expect(await real.calls.player.manifest()).toMatchObject({ code: 401 });
  expect((await fake.manifest()).device.id).toBe(device.id);
});

async function pairedAs(who: Session, device: TestDevice) {
  const { code } = await device.enrol();
  return { code, device: dataOf(await who.calls.devices.pair({ body: { code } })) };
}

test('a replacement is previewed, recorded, and reported to the owner', async () => {
  const boss = await server.createUser('leading');
  const owner = await server.createUser('member', boss);
  const webhook = 'http://127.0.0.1:9/';
  const alerts = { email: null, webhook, offlineMinutes: null, expiringDays: null };
  dataOf(await owner.calls.alerts.update({ body: alerts }));
  const first = await pairedDevice(server, owner);
  expect(first.device.replaced).toBeNull();
  const second = makeDevice(server, first.mac);
  const { code } = await second.enrol();
  expect(dataOf(await boss.calls.devices.previewPair({ body: { code } }))).toMatchObject({
    mac: first.mac,
    pairedBefore: true,
    device: { id: first.device.id, owner: { username: owner.user.username } },
  });
  expect(await second.calls.player.manifest()).toMatchObject({ code: 401 });
  const device = dataOf(await boss.calls.devices.pair({ body: { code } }));
  expect(device).toMatchObject({ id: first.device.id, replaced: { by: boss.user.username } });
  expect(await first.calls.player.manifest()).toMatchObject({ code: 401 });
  expect(await lastAudit(boss)).toMatchObject({ action: 'devices.pair', details: { kind: 'replaced' } });
  const { rows } = await sql<{ payload: object }>`
    select j.payload from graphile_worker._private_jobs j where j.payload ->> 'occasion' = 'replaced'`.execute(db);
  expect(rows).toMatchObject([{ payload: { userId: owner.user.id, way: 'webhook', deviceIds: [device.id] } }]);
});

test('the preview of a new device shows that nothing is known of it', async () => {
  const device = makeDevice(server);
  const { code } = await device.enrol();
  expect(dataOf(await admin.calls.devices.previewPair({ body: { code } }))).toEqual({
    mac: device.mac,
    device: null,
    pairedBefore: false,
  });
});

test('wrong codes count against their sender, by account and by address, and never spoil the code', async () => {
  const owner = await server.createUser('member');
  const device = makeDevice(server);
  const { code } = await device.enrol();
  const tried = { body: { mac: device.mac, code: wrongFor(code) } };
  const guess = async (who: Session, address: string) => {
    const calls = from(address, who.token);
    return [await calls.devices.pair(tried), await calls.devices.previewPair(tried)].map((reply) => reply.code);
  };
  const guesser = await server.createUser('member');
  for (let n = 1; n <= 5; n += 1) expect(await guess(guesser, `198.51.100.${n}`)).toEqual([422, 422]);
  expect(await guess(guesser, '198.51.100.9')).toEqual([429, 429]);
  // Even the right code is refused now: otherwise guessing could continue.
  expect(await from('198.51.100.9', guesser.token).devices.pair({ body: { code } })).toMatchObject({ code: 429 });
  for (let n = 1; n <= 6; n += 1) {
    const another = await server.createUser('member');
    for (let m = 1; m <= 5; m += 1) expect(await guess(another, '2001:db8::1')).toEqual([422, 422]);
  }
  const last = await server.createUser('member');
  expect(await guess(last, '2001:db8::ffff')).toEqual([429, 429]);
  expect(dataOf(await owner.calls.devices.pair({ body: { code } })).owner.username).toBe(owner.user.username);
});

test('wrong codes at once are as many tries, by account and by network; right ones at once all pair', async () => {
  const devices = [makeDevice(server), makeDevice(server)];
  const codes = await Promise.all(devices.map(async (device) => (await device.enrol()).code));
  const wrong = { body: { mac: newMac(), code: '000000' } };
  /** How many of these guesses were looked at, and how many were refused unseen. */
  const guessed = async (whos: readonly Session[], address: string) => {
    const replies = await Promise.all(
      whos.map((who, index) => {
        const { devices: calls } = from(address, who.token);
        return index % 2 === 0 ? calls.pair(wrong) : calls.previewPair(wrong);
      }),
    );
    return [422, 429].map((code) => replies.filter((reply) => reply.code === code).length);
  };
  const one = await server.createUser('member');
  expect(await guessed(Array<Session>(100).fill(one), '192.0.2.1')).toEqual([10, 90]);
  const some = await Promise.all(Array.from({ length: 7 }, () => server.createUser('member')));
  expect(await guessed(Array.from({ length: 10 }, () => some).flat(), '2001:db8:1::1')).toEqual([60, 10]);
  const owner = await server.createUser('member');
  const pairing = codes.map((code) => from('192.0.2.1', owner.token).devices.pair({ body: { code } }));
  const macs = (await Promise.all(pairing)).map((reply) => dataOf(reply).mac);
  expect(macs).toEqual(devices.map(({ mac }) => mac));
});

test('pairing two devices with one MAC at once yields one device and no server error', async () => {
  const [one, two] = [await server.createUser('member'), await server.createUser('member')];
  for (let round = 0; round < 5; round += 1) {
    const mac = newMac();
    const [a, b] = [makeDevice(server, mac), makeDevice(server, mac)];
    const codes = [await a.enrol(), await b.enrol()];
    const replies = await Promise.all(
      [one, two].map((who, n) => who.calls.devices.pair({ body: { code: codes[n]?.code ?? '' } })),
    );
    expect(replies.map((reply) => reply.code).toSorted()).toEqual([200, 409]);
  }
});

test('unpaired devices are limited per network and per MAC; paired ones do not count', async () => {
  await sql`delete from pairings`.execute(db);
  const known = await pairedDevice(server, admin);
  const ask = (address: string, mac = newMac()) =>
    from(address, randomBytes(16).toString('hex')).player.enrol({ body: { mac } });
  const count = async () => (await sql<{ n: number }>`select count(*) as n from pairings`.execute(db)).rows[0]?.n ?? 0;
  const before = await count();
  await sql`
    insert into pairings (mac, secret_hash, code, expires_at, screens, time_zone, network)
    select 'made up ' || n, sha256(n::text::bytea), 'x' || n, now() + interval '9 minutes', '[]', 'UTC', '203.0.113.5'
    from generate_series(1, 950) n`.execute(db);
  const replies = await Promise.all(Array.from({ length: 80 }, () => ask('203.0.113.5')));
  const refused = replies.filter((reply) => reply.code === 429).length;
  expect([refused, (await count()) - before]).toEqual([30, 1000]);
  // Those that are paired, wherever they come from, are no new identities.
  const again = from('203.0.113.5', known.secret).player.enrol({ body: { mac: known.mac } });
  expect(dataOf(await again)).toEqual({ state: 'paired' });
  expect((await ask('203.0.113.6')).code).toBe(200);
  // One box under one MAC that forgets its secret again and again has three rows, and never more.
  const mac = newMac();
  for (let n = 0; n < 10; n += 1) expect((await ask('203.0.113.7', mac)).code).toBe(200);
  expect((await sql`select from pairings where mac = ${mac}`.execute(db)).rows).toHaveLength(3);
  for (let n = 1; n <= 17; n += 1) expect((await ask(`203.0.113.${100 + n}`, mac)).code).toBe(200);
  expect(await ask('203.0.113.200', mac)).toMatchObject({ code: 429, error: 'TOO_MANY' });
  await sql`delete from pairings`.execute(db);
}, 60_000);

test('a code from a future that the clock was taken back from is over', async () => {
  const device = makeDevice(server);
  const { code } = await device.enrol();
  await sql`update pairings set expires_at = expires_at + interval '70 minutes' where code = ${code}`.execute(db);
  expect(await admin.calls.devices.pair({ body: { code } })).toMatchObject({ error: 'BAD_PAIRING_CODE' });
  const next = await device.enrol();
  expect(dataOf(await admin.calls.devices.pair({ body: { code: next.code } })).mac).toBe(device.mac);
});

test('deleting and pairing again renews no trial', async () => {
  const owner = await server.createUser('member');
  const device = await pairedDevice(server, owner);
  const trial = addDays(localTime(Date.now(), device.device.timeZone).date, 14);
  expect(device.device.expiresAt).toBe(trial);
  dataOf(await admin.calls.devices.update({ params: { id: device.device.id }, body: { expiresAt: '2026-01-31' } }));
  dataOf(await owner.calls.devices.delete({ params: { id: device.device.id } }));
  const other = await server.createUser('member');
  const again = await pairedAs(other, makeDevice(server, device.mac));
  expect(again.device).toMatchObject({ expiresAt: '2026-01-31', expired: true, replaced: null });
  // In a batch, and added by the dealer.
  dataOf(await admin.calls.batches.start({ body: { ids: [again.device.id], action: 'delete' } }));
  const back = await added(device.mac);
  expect(dataOf(await admin.calls.devices.get({ params: { id: back.id } })).expiresAt).toBe('2026-01-31');
});

test('the preview shows that a deleted MAC was paired before', async () => {
  const owner = await server.createUser('member');
  const device = await pairedDevice(server, owner);
  dataOf(await owner.calls.devices.delete({ params: { id: device.device.id } }));
  const { code } = await makeDevice(server, device.mac).enrol();
  const other = await server.createUser('member');
  expect(dataOf(await other.calls.devices.previewPair({ body: { code } }))).toEqual({
    mac: device.mac,
    device: null,
    pairedBefore: true,
  });
});

test('devices that wait are listed from their own address alone, without MAC and code', async () => {
  const device = makeDevice(server);
  const seen = { 'x-forwarded-for': '203.0.113.7' };
  const reply = dataOf(
    await server
      .as(device.secret, seen)
      .player.enrol({ body: { mac: device.mac, screens: [{ width: 1080, height: 1920 }] } }),
  );
  const waiting = await from('203.0.113.7', admin.token).devices.waiting();
  expect(dataOf(waiting).items).toMatchObject([{ screen: { width: 1080, height: 1920 } }]);
  expect(JSON.stringify(waiting)).not.toContain(device.mac);
  const code = 'code' in reply ? reply.code : '';
  expect(code).not.toBe('');
  expect(JSON.stringify(waiting)).not.toContain(code);
  expect(dataOf(await from('203.0.113.8', admin.token).devices.waiting()).items).toEqual([]);
  dataOf(await admin.calls.devices.pair({ body: { code } }));
  expect(dataOf(await from('203.0.113.7', admin.token).devices.waiting()).items).toEqual([]);
});
