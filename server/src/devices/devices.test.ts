import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_TRIAL_DAYS: '10', AMS_ENROLMENT_KEY: 'the key of this installation' });
const admin = await server.login();

const deviceOf = async (id: string, session = admin) => dataOf(await session.calls.devices.get({ params: { id } }));

test('a device shows one code until it is paired; the QR code holds the address, MAC and code', async () => {
  const player = makeDevice(server, 'AA-BB-CC-00-00-01');
  const first = await player.enrol();
  expect(first.code).toMatch(/^\d{6}$/);
  expect(first.qr).toBe(`${server.url}/scancode?mac=aa%3Abb%3Acc%3A00%3A00%3A01&code=${first.code}`);
  expect(await player.enrol()).toMatchObject({ state: 'pairing', code: first.code });

  const device = dataOf(
    await admin.calls.devices.pair({ body: { mac: 'aabb.cc00.0001', code: first.code, name: 'Lobby' } }),
  );
  expect(device).toMatchObject({
    mac: 'aa:bb:cc:00:00:01',
    name: 'Lobby',
    owner: { username: 'admin' },
    online: false,
    download: { state: 'waiting' },
    timeZone: 'Asia/Shanghai',
    screens: [{ width: 1080, height: 1920 }],
    playerVersion: '1.2.3',
    expired: false,
  });
  expect(await player.enrol()).toMatchObject({ state: 'paired' });
  expect(await player.manifest()).toMatchObject({ files: [], screens: { main: [], secondary: [] } });
});

test('a secret that was never paired, or none, opens nothing', async () => {
  const stranger = makeDevice(server);
  expect(await stranger.calls.player.manifest()).toMatchObject({ code: 401, error: 'UNAUTHENTICATED' });
  expect(await server.as().player.manifest()).toMatchObject({ code: 401 });
  // A person's session is no device, and the other way round.
  expect(await admin.calls.player.manifest()).toMatchObject({ code: 401 });
  const player = await pairedDevice(server, admin);
  expect(await player.calls.devices.list()).toMatchObject({ code: 401 });
  await expect(stranger.open()).rejects.toThrow('401');
});

test('two operators pair one device at the same moment: one succeeds, the other learns the owner only in scope', async () => {
  const owner = await server.createUser('member');
  const stranger = await server.createUser('member');
  const pairAtOnce = async (...sessions: Session[]) => {
    const player = makeDevice(server);
    const { code } = await player.enrol();
    const replies = await Promise.all(
      sessions.map((session) => session.calls.devices.pair({ body: { mac: player.mac, code } })),
    );
    return { replies, winner: replies.findIndex((reply) => reply.code === 200), player, code };
  };
  const strangers = await pairAtOnce(owner, stranger);
  expect(strangers.replies[1 - strangers.winner]).toMatchObject({ code: 409, error: 'DEVICE_OWNED' });
  expect(JSON.stringify(strangers.replies[1 - strangers.winner])).not.toContain(owner.user.username);

  // The same person twice, for example after a lost answer: it is one pairing.
  const again = await pairAtOnce(owner, owner);
  expect(again.replies.map((reply) => reply.code)).toEqual([200, 200]);
  // A later user with the correct code who may see the device learns its owner.
  const late = { body: { mac: again.player.mac, code: again.code } };
  expect(await admin.calls.devices.pair(late)).toMatchObject({
    code: 409,
    error: 'DEVICE_PAIRED',
    details: { owner: owner.user.username },
  });
  expect(await stranger.calls.devices.pair({ body: { mac: again.player.mac, code: '000000' } })).toMatchObject({
    code: 422,
  });
});

test('the code of another device pairs nothing', async () => {
  const [one, two] = [makeDevice(server), makeDevice(server)];
  const { code } = await one.enrol();
  await two.enrol();
  expect(await admin.calls.devices.pair({ body: { mac: two.mac, code } })).toMatchObject({
    code: 422,
    error: 'BAD_PAIRING_CODE',
  });
  expect(await one.calls.player.manifest()).toMatchObject({ code: 401 });
});

test('a device that lies about its MAC learns nothing and takes nothing', async () => {
  const owner = await server.createUser('member');
  const player = await pairedDevice(server, owner);
  const channel = await player.open();
  await channel.next();
  const liar = makeDevice(server, player.mac);
  const { state, code } = await liar.enrol();
  expect(state).toBe('pairing');
  expect(await liar.calls.player.manifest()).toMatchObject({ code: 401 });
  expect(await liar.calls.player.status({ body: { download: { state: 'done' } } })).toMatchObject({ code: 401 });
  await expect(liar.open()).rejects.toThrow('401');
  // Not even the installation's key pushes out a device that is there.
  const key = 'the key of this installation';
  expect(dataOf(await liar.calls.player.enrol({ body: { mac: player.mac, enrolmentKey: key } })).state).toBe('pairing');
  const stranger = await server.createUser('member');
  expect(await stranger.calls.devices.pair({ body: { mac: player.mac, code } })).toMatchObject({ code: 409 });
  expect(await deviceOf(player.device.id)).toMatchObject({ online: true, owner: { username: owner.user.username } });
  expect((await player.manifest()).device.id).toBe(player.device.id);
  await channel.close();
});

test('a known device keeps its owner; outside the scope it belongs to another user', async () => {
  const owner = await server.createUser('member');
  const player = await pairedDevice(server, owner);
  const again = makeDevice(server, player.mac);
  const { code } = await again.enrol();
  const stranger = await server.createUser('member');
  expect(await stranger.calls.devices.pair({ body: { mac: player.mac, code } })).toMatchObject({
    code: 409,
    error: 'DEVICE_OWNED',
    message: 'This device belongs to another user',
  });
  // Refusing did not spoil the code for those who may.
  const device = dataOf(await admin.calls.devices.pair({ body: { mac: player.mac, code } }));
  expect(device).toMatchObject({ id: player.device.id, owner: { username: owner.user.username } });
  expect(await player.calls.player.manifest()).toMatchObject({ code: 401 });
  expect((await again.manifest()).device.id).toBe(player.device.id);
});

test('pairing a known device for another owner in scope hands it over', async () => {
  const [boss, stranger] = [await server.createUser('leading'), await server.createUser('member')];
  const member = await server.createUser('member', boss);
  const player = await pairedDevice(server, boss);
  const again = makeDevice(server, player.mac);
  const { code } = await again.enrol();
  const pairFor = (ownerId: string) => boss.calls.devices.pair({ body: { code, ownerId } });
  expect(await pairFor(stranger.user.id)).toMatchObject({ code: 404 });
  expect(dataOf(await pairFor(member.user.id))).toMatchObject({
    id: player.device.id,
    owner: { username: member.user.username },
  });
  expect((await again.manifest()).merchant?.username).toBe(boss.user.username);
  const [line] = dataOf(await boss.calls.users.listAudit({ query: { limit: 1 } })).items;
  expect(line).toMatchObject({
    action: 'devices.pair',
    details: { owner: member.user.username, before: { owner: boss.user.username } },
  });
});

test('a device is online while its connection is open, with a grace period for flapping networks', async () => {
  const player = await pairedDevice(server, admin);
  expect(await deviceOf(player.device.id)).toMatchObject({ online: false, lastSeenAt: null });
  const channel = await player.open();
  expect(await channel.next()).toEqual({ type: 'manifest', version: (await player.manifest()).version });
  expect((await deviceOf(player.device.id)).online).toBe(true);

  await channel.close();
  const back = await player.open();
  await back.next();
  expect((await deviceOf(player.device.id)).online).toBe(true);

  await back.close();
  await vi.waitFor(async () => expect((await deviceOf(player.device.id)).online).toBe(false), { interval: 200 });
  expect(Date.parse((await deviceOf(player.device.id)).lastSeenAt ?? '')).toBeGreaterThan(Date.now() - 20_000);
});

test('a server process that dies takes its devices offline', async () => {
  const player = await pairedDevice(server, admin);
  await server.deps.db
    .insertInto('server_processes')
    .values({ id: '00000000-0000-7000-8000-000000000001', beat_at: new Date(Date.now() - 14_000) })
    .execute();
  await server.deps.db
    .updateTable('devices')
    .set({ lease: '00000000-0000-7000-8000-000000000001' })
    .where('id', '=', player.device.id)
    .execute();
  expect((await deviceOf(player.device.id)).online).toBe(true);
  await vi.waitFor(async () => expect((await deviceOf(player.device.id)).online).toBe(false));
});

test('a hundred heartbeats write nothing', async () => {
  const player = await pairedDevice(server, admin);
  const channel = await player.open();
  const { version = '' } = { version: undefined, ...(await channel.next()) };
  const status = {
    manifestVersion: version,
    download: { state: 'done' as const, doneBytes: 0, totalBytes: 0 },
  };
  channel.status(status);
  await vi.waitFor(async () => expect((await deviceOf(player.device.id)).download.state).toBe('done'));
  // Every write of a row gives it another xmin.
  const rowVersion = async () => {
    const { rows } = await sql<{ xmin: string }>`
      select xmin::text from devices where id = ${player.device.id}`.execute(server.deps.db);
    return rows[0]?.xmin;
  };
  const before = await rowVersion();
  for (let beat = 0; beat < 100; beat += 1) {
    channel.socket.pong();
    channel.status({ ...status, clockMs: beat });
  }
  await sleep(1500);
  expect(await rowVersion()).toBe(before);
  await channel.close();
});

test('only the report of the present version makes it done', async () => {
  const player = await pairedDevice(server, admin);
  const report = (manifestVersion: string, state: 'done' | 'failed', reason?: string) =>
    player.calls.player.status({
      body: { manifestVersion, download: { state, doneBytes: 5, totalBytes: 10, reason } },
    });
  dataOf(await report('some-other-version', 'done'));
  expect((await deviceOf(player.device.id)).download.state).toBe('waiting');
  const { version } = await player.manifest();
  dataOf(await report(version, 'failed', 'diskFull'));
  expect((await deviceOf(player.device.id)).download).toMatchObject({
    state: 'waiting',
    reason: 'diskFull',
    doneBytes: 5,
  });
  dataOf(await report(version, 'done'));
  expect((await deviceOf(player.device.id)).download.state).toBe('done');
  // The name is part of the manifest, which has therefore changed.
  dataOf(await admin.calls.devices.update({ params: { id: player.device.id }, body: { name: 'Renamed' } }));
  expect((await deviceOf(player.device.id)).download.state).toBe('waiting');
  // A device cannot report "done" for a version that was never made.
  dataOf(await report(version, 'done'));
  expect((await deviceOf(player.device.id)).download.state).toBe('waiting');
});

test('nothing that is not a status stays connected', async () => {
  const player = await pairedDevice(server, admin);
  for (const bad of [
    'not json',
    '{"type":"status"}',
    '{"type":"hello"}',
    JSON.stringify({ type: 'status', download: { state: 'done', doneBytes: -1 } }),
  ]) {
    const channel = await player.open();
    const closed = new Promise<number>((resolve) => channel.socket.on('close', resolve));
    channel.socket.send(bad);
    expect(await closed).toBe(4002);
  }
  const channel = await player.open();
  const closed = new Promise<number>((resolve) => channel.socket.on('close', resolve));
  channel.socket.send('x'.repeat(2 ** 20));
  expect(await closed).toBe(1009);
});

test('a device expires with the day in its zone; it is notified then and after an extension', async () => {
  const player = await pairedDevice(server, admin);
  const id = player.device.id;
  expect((await player.manifest()).expired).toBe(false);
  const expire = (expiresAt: string) => admin.calls.devices.update({ params: { id }, body: { expiresAt } });
  const before = (await player.manifest()).version;
  expect(dataOf(await expire('2020-02-29'))).toMatchObject({ expired: true, expiresAt: '2020-02-29' });
  const dark = await player.manifest();
  expect(dark).toMatchObject({ expired: true, expiresAt: '2020-02-29', merchant: { username: 'admin' } });
  expect(dark.version).not.toBe(before);
  expect(dataOf(await expire('2099-01-01T00:00:00Z')).expired).toBe(false);
  // A device that goes offline now knows until when it may play.
  const back = await player.manifest();
  expect(back).toMatchObject({ expired: false, expiresAt: '2099-01-01', bandwidth: null });
  expect(dataOf(await expire('2099-06-30')).expired).toBe(false);
  expect((await player.manifest()).version).not.toBe(back.version);
  expect(await expire('not a date')).toMatchObject({ code: 400, error: 'INVALID' });
});

test('members rename their own; owner, expiry and time zone are for leading users', async () => {
  const member = await server.createUser('member');
  const player = await pairedDevice(server, member);
  const patch = (body: object) => member.calls.devices.update({ params: { id: player.device.id }, body });
  expect(dataOf(await patch({ name: 'Mine' })).name).toBe('Mine');
  expect(await patch({ expiresAt: '2099-01-01' })).toMatchObject({ code: 403, error: 'LEADING_ONLY' });
  expect(await patch({ timeZone: 'UTC' })).toMatchObject({ code: 403 });
  const stranger = await server.createUser('leading');
  expect(await stranger.calls.devices.get({ params: { id: player.device.id } })).toMatchObject({ code: 404 });
  expect(await stranger.calls.devices.update({ params: { id: player.device.id }, body: { name: 'x' } })).toMatchObject({
    code: 404,
  });
  expect(await stranger.calls.devices.delete({ params: { id: player.device.id } })).toMatchObject({ code: 404 });
});

test('the audit shows a device before and after a change', async () => {
  const boss = await server.createUser('leading');
  const heir = await server.createUser('member', boss);
  const player = await pairedDevice(server, boss);
  const { name, timeZone, expiresAt } = player.device;
  const body = { name: 'Hall', ownerId: heir.user.id };
  dataOf(await boss.calls.devices.update({ params: { id: player.device.id }, body }));
  expect(dataOf(await boss.calls.users.listAudit()).items[0]).toMatchObject({
    action: 'devices.change',
    details: {
      name: 'Hall',
      owner: heir.user.username,
      before: { name, owner: boss.user.username, timeZone, expiresAt },
    },
  });
  dataOf(await boss.calls.devices.delete({ params: { id: player.device.id } }));
  expect(dataOf(await boss.calls.users.listAudit()).items[0]).toMatchObject({
    action: 'devices.delete',
    target: player.device.mac,
    details: { name: 'Hall' },
  });
});

test('the list finds by MAC in any writing, name and owner, filters, and pages by keyset', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  for (let n = 1; n <= 5; n += 1) {
    dataOf(
      await boss.calls.devices.create({
        body: { mac: `0e:00:00:00:01:0${n}`, name: `Hall ${n}`, ownerId: n > 3 ? member.user.id : boss.user.id },
      }),
    );
  }
  const list = async (query: object) => dataOf(await boss.calls.devices.list({ query }));
  const names = async (query: object) => (await list(query)).items.map((device) => device.name);
  expect(await names({ q: '0E-00-00-00-01-02' })).toEqual(['Hall 2']);
  expect(await names({ q: '0e00.0000.0103' })).toEqual(['Hall 3']);
  expect(await names({ q: 'hall 4' })).toEqual(['Hall 4']);
  expect(await names({ q: member.user.username })).toEqual(['Hall 5', 'Hall 4']);
  expect(await names({ owner: member.user.id })).toHaveLength(2);
  expect(await names({ online: 'true' })).toEqual([]);
  expect(await names({ online: 'false', download: 'waiting', expiry: 'expiring' })).toHaveLength(5);
  expect(await names({ expiry: 'valid' })).toEqual([]);
  const first = await list({ limit: 2, total: 'true' });
  expect(first).toMatchObject({ total: 5, items: [{ name: 'Hall 5' }, { name: 'Hall 4' }] });
  const second = await list({ limit: 2, cursor: first.next });
  expect(second.items.map((device) => device.name)).toEqual(['Hall 3', 'Hall 2']);
  const last = await list({ limit: 2, cursor: second.next });
  expect(last).toMatchObject({ next: null, items: [{ name: 'Hall 1' }] });
  expect(await boss.calls.devices.list({ query: { cursor: 'nonsense' } })).toMatchObject({ code: 400 });
  expect(await boss.calls.devices.create({ body: { mac: '0E0000000101' } })).toMatchObject({
    code: 409,
    error: 'MAC_TAKEN',
  });
});

test('a dealer of few, a dealer of hundreds and the first account see the same pages of the same devices', async () => {
  const few = await server.createUser('leading');
  const owners = await Promise.all([1, 2, 3, 4, 5].map(() => server.createUser('member', few)));
  for (let n = 1; n <= 7; n += 1) {
    const ownerId = owners[n % 5]?.user.id;
    dataOf(await few.calls.devices.create({ body: { mac: `0d000000010${n}`, name: `Mall ${n}`, ownerId } }));
  }
  const pages = async (who: Session, cursor?: string): Promise<string[][]> => {
    const { items, next } = dataOf(
      await who.calls.devices.list({ query: { q: 'mall', download: 'waiting', limit: 3, cursor } }),
    );
    return [items.map(({ name }) => name), ...(next === null ? [] : await pages(who, next))];
  };
  const expected = [['Mall 7', 'Mall 6', 'Mall 5'], ['Mall 4', 'Mall 3', 'Mall 2'], ['Mall 1']];
  // Enough devices that every search has many matches.
  await sql`
    insert into devices (id, mac, name, owner_id)
    select gen_random_uuid(), 'mall ' || n, 'Mall', ${admin.user.id} from generate_series(1, 1001) n`.execute(
    server.deps.db,
  );
  expect(await pages(few)).toEqual(expected);
  await sql`
    with added as (
      insert into users (id, username, username_key, password_hash, role, superior_id)
      select gen_random_uuid(), 'mall' || n, 'mall' || n, '-', 'member', ${few.user.id} from generate_series(1, 600) n
      returning id
    ) insert into user_scopes (ancestor_id, user_id) select ${few.user.id}, id from added`.execute(server.deps.db);
  expect(await pages(few)).toEqual(expected);
  await sql`delete from devices where mac like 'mall %'`.execute(server.deps.db);
  expect(await pages(admin)).toEqual(expected);
});

test('a search finds pieces of any length and script, among few as among many, under the new name alone', async () => {
  const dealer = await server.createUser('leading');
  const { id } = dataOf(await dealer.calls.devices.create({ body: { mac: '0e0000009901', name: '北京西站 Nr. 7%' } }));
  const names = async (q: string, who = dealer) =>
    dataOf(await who.calls.devices.list({ query: { q } })).items.map((device) => device.name);
  for (const q of ['京', '北京', '京西站', '西站 NR', '7%', '%', '99:01', '0e00-0000-9901']) {
    expect(await names(q)).toEqual(['北京西站 Nr. 7%']);
  }
  for (const q of ['东', '站西', '7_', '9902']) expect(await names(q)).toEqual([]);
  dataOf(await dealer.calls.devices.update({ params: { id }, body: { name: '上海' } }));
  expect(await names('北京')).toEqual([]);
  expect(await names('上海')).toEqual(['上海']);
  expect(await names('上海', await server.createUser('leading'))).toEqual([]);

  const many = Array.from({ length: 1100 }, (_, n) => `0f00000${(0x10000 + n).toString(16)}`);
  await sql`
    insert into devices (id, mac, name, owner_id) select gen_random_uuid(), mac, 'Many ' || nth, ${dealer.user.id}
    from unnest(${many}::text[]) with ordinality as m(mac, nth)`.execute(server.deps.db);
  expect(dataOf(await dealer.calls.devices.list({ query: { q: 'many', total: 'true' } })).total).toBe(1100);
  expect(await names('many 777')).toEqual(['Many 777']);
});

test('a deleted device loses its channel and its place', async () => {
  const player = await pairedDevice(server, admin);
  const channel = await player.open();
  const closed = new Promise<number>((resolve) => channel.socket.on('close', resolve));
  dataOf(await admin.calls.devices.delete({ params: { id: player.device.id } }));
  expect(await closed).toBe(4001);
  expect(await player.enrol()).toMatchObject({ state: 'pairing' });
});
