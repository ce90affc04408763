import { addDays, localTime, type WorkingHours } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Working hours, volume and brightness: on a device, in batches, by default, and in the manifest. */
const server = await startTestServer();
const admin = await server.login();

const day = [{ from: '08:00', to: '20:00' }];
const OFFICE: WorkingHours = { weekly: { 1: day, 2: day }, exceptions: [{ date: '2028-02-29', hours: [] }] };
const NIGHT: WorkingHours = { weekly: { 5: [{ from: '20:00', to: '02:00' }] }, exceptions: [] };

const get = async (id: string) => dataOf(await admin.calls.devices.get({ params: { id } }));
const patch = (session: Session, id: string, body: object) => session.calls.devices.update({ params: { id }, body });
const hoursIn = async (device: TestDevice) => (await device.manifest()).workingHours;

test('a device has hours and levels, its manifest has them too, and it waits until they have arrived', async () => {
  const owner = await server.createUser('member');
  const device = await pairedDevice(server, owner);
  const { id } = device.device;
  const none = { workingHours: null, volume: null, volumeHours: [], brightness: null, brightnessHours: [] };
  expect(await get(id)).toMatchObject({ ...none, defaultHours: null });
  const before = await device.manifest();
  expect(before).toMatchObject(none);
  await sql`update device_revisions set done_revision = revision where device_id = ${id}`.execute(server.deps.db);
  const wanted = {
    workingHours: OFFICE,
    volume: 40,
    volumeHours: [{ from: '22:00', to: '07:00', value: 0 }],
    brightness: 100,
    brightnessHours: [{ from: '20:00', to: '24:00', value: 30 }],
  };
  expect(dataOf(await patch(owner, id, wanted))).toMatchObject({ ...wanted, download: { state: 'waiting' } });
  const after = await device.manifest();
  expect(after).toMatchObject(wanted);
  expect(after.version).not.toBe(before.version);
  expect(dataOf(await patch(owner, id, { workingHours: null, volume: null }))).toMatchObject({
    workingHours: null,
    volume: null,
    brightness: 100,
  });
});

test('hours and levels that make no sense are refused with their field', async () => {
  const { device } = await pairedDevice(server, admin);
  const refused = async (body: object) => {
    const answer = await patch(admin, device.id, body);
    return { code: answer.code, fields: answer.error === undefined ? undefined : answer.details?.['fields'] };
  };
  const monday = (...spans: object[]) => ({ workingHours: { weekly: { 1: spans } } });
  const field = (path: string, rule: string) => ({ code: 400, fields: [expect.objectContaining({ path, rule })] });
  expect(await refused(monday({ from: '08:00', to: '08:00' }))).toEqual(
    field('workingHours.weekly.1.0.to', 'hours.same'),
  );
  expect(await refused(monday(...day, { from: '19:00', to: '21:00' }))).toEqual(
    field('workingHours.weekly.1.1.from', 'hours.overlap'),
  );
  expect(await refused({ workingHours: { weekly: {}, exceptions: [{ date: '2027-02-29', hours: [] }] } })).toEqual(
    field('workingHours.exceptions.0.date', 'schedule.date'),
  );
  expect(await refused({ volume: 101 })).toEqual(field('volume', 'level.range'));
  expect(await refused({ brightness: -1 })).toEqual(field('brightness', 'level.range'));
  expect((await refused({ volume: 1.5 })).code).toBe(400);
  expect(dataOf(await patch(admin, device.id, monday({ from: '20:00', to: '02:00' }))).workingHours).toEqual({
    weekly: { 1: [{ from: '20:00', to: '02:00' }] },
    exceptions: [],
  });
});

test('a device that is dark is listed whatever the date of its last exception is', async () => {
  const owner = await server.createUser('member');
  const player = await pairedDevice(server, owner);
  const { id } = player.device;
  const channel = await player.open();
  await channel.next();
  const exceptions = [{ date: '9999-12-31', hours: day }];
  dataOf(await patch(owner, id, { workingHours: { weekly: {}, exceptions } }));
  const { items } = dataOf(await admin.calls.devices.list({ query: { owner: owner.user.id } }));
  expect(items).toMatchObject([{ id, verdict: { kind: 'dark', until: null } }]);
  await channel.close();
});

test('a batch sets hours, shows before what it changes, and can be undone', async () => {
  const owner = await server.createUser('member');
  const [open, office] = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const ids = [open.device.id, office.device.id];
  dataOf(await patch(owner, office.device.id, { workingHours: OFFICE }));
  const order = { ids, action: 'hours' as const, workingHours: OFFICE };
  const { preview } = dataOf(await owner.calls.batches.start({ body: { ...order, dryRun: true } }));
  expect(preview).toMatchObject({ changes: [{ from: null, devices: 1 }], unchanged: 1 });
  expect(JSON.parse(preview?.changes[0]?.to ?? '')).toEqual(OFFICE);
  expect(await hoursIn(open)).toBeNull();

  const { done, undo } = dataOf(await owner.calls.batches.start({ body: order }));
  expect(done).toBe(2);
  expect(await hoursIn(open)).toEqual(OFFICE);
  dataOf(await owner.calls.batches.undo({ body: { undo: undo ?? '' } }));
  expect(await hoursIn(open)).toBeNull();
  expect(await hoursIn(office)).toEqual(OFFICE);
  const wrong = { ...order, workingHours: { weekly: { 1: [{ from: '1:00', to: '02:00' }] } } };
  expect((await owner.calls.batches.start({ body: wrong })).code).toBe(400);
});

test('a batch sets volume and brightness, leaves what it does not name, shows before what it changes, and can be undone', async () => {
  const owner = await server.createUser('member');
  const [loud, quiet] = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const ids = [loud.device.id, quiet.device.id];
  dataOf(await patch(owner, loud.device.id, { volume: 90, brightness: 70 }));
  const night = [{ from: '22:00', to: '07:00', value: 0 }];
  dataOf(await patch(owner, quiet.device.id, { volume: 20, volumeHours: night }));
  const order = { ids, action: 'levels' as const, volume: 20, volumeHours: night };
  const { preview } = dataOf(await owner.calls.batches.start({ body: { ...order, dryRun: true } }));
  expect(preview).toMatchObject({ changes: [{ devices: 1 }], unchanged: 1 });
  expect(JSON.parse(preview?.changes[0]?.from ?? '')).toEqual({ volume: 90, volumeHours: [] });
  expect(JSON.parse(preview?.changes[0]?.to ?? '')).toEqual({ volume: 20, volumeHours: night });
  expect(await loud.manifest()).toMatchObject({ volume: 90 });

  const { done, undo } = dataOf(await owner.calls.batches.start({ body: order }));
  expect(done).toBe(2);
  expect(await loud.manifest()).toMatchObject({ volume: 20, volumeHours: night, brightness: 70 });
  dataOf(await owner.calls.batches.undo({ body: { undo: undo ?? '' } }));
  expect(await loud.manifest()).toMatchObject({ volume: 90, volumeHours: [], brightness: 70 });
  expect(await quiet.manifest()).toMatchObject({ volume: 20, volumeHours: night });

  const group = dataOf(await owner.calls.groups.create({ body: { name: 'All', filter: {} } }));
  const dimmed = await owner.calls.batches.start({ body: { group: group.id, action: 'levels', brightness: null } });
  expect(dataOf(dimmed)).toMatchObject({ done: 2, failed: [] });
  expect(await loud.manifest()).toMatchObject({ volume: 90, brightness: null });
  const refused = async (levels: object) => {
    const answer = await owner.calls.batches.start({ body: { ids, action: 'levels', ...levels } });
    return answer.error === undefined ? answer.code : answer.details?.['fields'];
  };
  expect(await refused({})).toEqual([expect.objectContaining({ path: 'volume', rule: 'level.choice' })]);
  expect(await refused({ brightness: 101 })).toEqual([
    expect.objectContaining({ path: 'brightness', rule: 'level.range' }),
  ]);
  const stranger = await server.createUser('leading');
  const foreign = dataOf(await stranger.calls.batches.start({ body: order }));
  expect(foreign).toMatchObject({ done: 0, failed: [{ error: 'NOT_FOUND' }, { error: 'NOT_FOUND' }] });
});

test('without hours of its own a device has those of the nearest user above', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const device = await pairedDevice(server, member);
  const { id } = device.device;
  const revision = async () =>
    (
      await sql<{ revision: number }>`select revision from device_revisions where device_id = ${id}`.execute(
        server.deps.db,
      )
    ).rows[0]?.revision ?? 0;
  const set = async (session: Session, workingHours: WorkingHours | null) =>
    dataOf(await session.calls.users.changeWorkingHours({ params: { id: session.user.id }, body: { workingHours } }));
  const before = await revision();
  expect((await set(boss, OFFICE)).workingHours).toEqual(OFFICE);
  expect(await revision()).toBe(before + 1);
  expect(await hoursIn(device)).toEqual(OFFICE);
  expect(await get(id)).toMatchObject({ workingHours: null, defaultHours: OFFICE });
  await set(boss, OFFICE);
  expect(await revision()).toBe(before + 1);

  await set(member, NIGHT);
  expect(await hoursIn(device)).toEqual(NIGHT);
  // A nearer default hides what changes above it.
  await set(boss, null);
  expect(await revision()).toBe(before + 2);
  await set(boss, OFFICE);
  await set(member, null);
  expect(await hoursIn(device)).toEqual(OFFICE);

  dataOf(await patch(member, id, { workingHours: NIGHT }));
  expect(await get(id)).toMatchObject({ workingHours: NIGHT, defaultHours: null });
  await set(boss, null);
  expect(await hoursIn(device)).toEqual(NIGHT);
});

test('only users in scope get default hours, and the default of a deleted user ends with it', async () => {
  const boss = await server.createUser('leading');
  const middle = await server.createUser('leading', boss);
  const member = await server.createUser('member', middle);
  const device = await pairedDevice(server, member);
  const set = (session: Session, id: string) =>
    session.calls.users.changeWorkingHours({ params: { id }, body: { workingHours: OFFICE } });
  expect((await set(member, boss.user.id)).code).toBe(404);
  expect((await set(boss, middle.user.id)).code).toBe(200);
  expect(await hoursIn(device)).toEqual(OFFICE);
  await sql`update device_revisions set done_revision = revision where device_id = ${device.device.id}`.execute(
    server.deps.db,
  );
  dataOf(await boss.calls.users.delete({ params: { id: middle.user.id } }));
  expect(await hoursIn(device)).toBeNull();
  expect((await get(device.device.id)).download.state).toBe('waiting');
});

test('outside its hours a device is dark on purpose, whatever it holds, and within them it is not', async () => {
  const device = await pairedDevice(server, admin);
  const { id } = device.device;
  const channel = await device.open();
  await channel.next();
  const verdict = async () => (await get(id)).verdict;
  const why = async (at?: string) =>
    dataOf(await admin.calls.releases.programme({ params: { id }, query: at === undefined ? {} : { at } })).verdict;
  expect(await verdict()).toMatchObject({ kind: 'nothing', until: null });
  const tomorrow = addDays(localTime(Date.now(), 'Asia/Shanghai').date, 1);
  const closed = { weekly: {}, exceptions: [{ date: tomorrow, hours: [{ from: '08:00', to: '09:00' }] }] };
  dataOf(await patch(admin, id, { workingHours: closed, timeZone: 'Asia/Shanghai' }));
  const until = new Date(Date.parse(`${tomorrow}T08:00:00+08:00`)).toISOString();
  expect(await verdict()).toEqual({ kind: 'dark', reason: null, until });
  expect(await why()).toEqual({ kind: 'dark', reason: null, until });
  expect(await why(until)).toMatchObject({ kind: 'nothing' });
  await sql`update device_revisions set download = '{"state": "failed", "doneBytes": 0, "totalBytes": 1, "reason": "storage"}',
    reported_revision = revision where device_id = ${id}`.execute(server.deps.db);
  expect((await verdict()).kind).toBe('dark');
  dataOf(await patch(admin, id, { workingHours: { weekly: {} } }));
  expect(await verdict()).toMatchObject({ kind: 'dark', until: null });
  dataOf(await patch(admin, id, { expiresAt: '2020-01-01' }));
  expect((await verdict()).kind).toBe('expired');
  await channel.close();
});

test('the history shows working hours only', async () => {
  const { device } = await pairedDevice(server, admin);
  const { id } = device;
  const zone = 'UTC';
  const today = localTime(Date.now(), zone).date;
  const [from, to] = [`${addDays(today, -2)}T00:00:00Z`, `${addDays(today, -2)}T10:00:00Z`];
  await sql`delete from presence_changes where device_id = ${id}`.execute(server.deps.db);
  await sql`insert into presence_changes (device_id, at, online) values
    (${id}, ${from}, true), (${id}, ${to}, false)`.execute(server.deps.db);
  const exceptions = [{ date: addDays(today, -2), hours: [{ from: '08:00', to: '12:00' }] }];
  dataOf(await patch(admin, id, { timeZone: zone, workingHours: { weekly: {}, exceptions } }));
  await sql`update past_hours set until = now() - interval '9 days' where device_id = ${id}`.execute(server.deps.db);
  const { uptime, stretches } = dataOf(await admin.calls.devices.history({ params: { id } }));
  expect(uptime).toBe(0.5);
  expect(stretches.map(({ state }) => state)).toEqual(['unknown', 'dark', 'online', 'offline', 'dark']);
});

test('past days are judged by the hours that were in force then', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const { device } = await pairedDevice(server, member);
  const { id } = device;
  dataOf(await patch(admin, id, { timeZone: 'UTC' }));
  const yesterday = addDays(localTime(Date.now(), 'UTC').date, -1);
  await sql`delete from presence_changes where device_id = ${id}`.execute(server.deps.db);
  await sql`insert into presence_changes (device_id, at, online) values
    (${id}, ${`${yesterday}T08:00:00Z`}, true), (${id}, ${`${yesterday}T12:00:00Z`}, false)`.execute(server.deps.db);
  const on = (hours: { from: string; to: string }[]): WorkingHours => ({
    weekly: {},
    exceptions: [{ date: yesterday, hours }],
  });
  const setDefault = async (session: Session, workingHours: WorkingHours | null) =>
    dataOf(await session.calls.users.changeWorkingHours({ params: { id: session.user.id }, body: { workingHours } }));
  const uptime = async () => dataOf(await admin.calls.devices.history({ params: { id } })).uptime;
  const inForceUntil = (until: string) =>
    sql`update past_hours set until = ${until} where device_id = ${id} and until > now() - interval '1 minute'`.execute(
      server.deps.db,
    );

  const always = await uptime();
  // The whole of yesterday happened before hours were set for the first time.
  await setDefault(boss, on([{ from: '08:00', to: '16:00' }]));
  expect(await uptime()).toBeCloseTo(always ?? -1, 3);
  await inForceUntil(`${yesterday}T00:00:00Z`);
  expect(await uptime()).toBeCloseTo(0.5, 4);
  // Whatever changes the hours now: a nearer default, own hours, another owner, another superior.
  await setDefault(member, on([{ from: '08:00', to: '12:00' }]));
  expect(await uptime()).toBeCloseTo(0.5, 4);
  dataOf(await patch(member, id, { workingHours: on([]) }));
  expect(await uptime()).toBeCloseTo(0.5, 4);
  // At the administrator it has no hours: the time of today since then counts, in which it is off.
  const openFrom = performance.now();
  const expectHalf = async () => {
    const share = (await uptime()) ?? 0;
    const openHours = (performance.now() - openFrom) / 3_600_000;
    expect(share).toBeLessThan(0.50005);
    expect((share * (8 + openHours)) / 8).toBeGreaterThan(0.49995);
  };
  dataOf(await patch(admin, id, { ownerId: admin.user.id, workingHours: null }));
  await expectHalf();
  dataOf(await patch(admin, id, { ownerId: member.user.id }));
  await setDefault(member, null);
  dataOf(await admin.calls.users.delete({ params: { id: boss.user.id } }));
  expect(await get(id)).toMatchObject({ workingHours: null, defaultHours: null });
  await expectHalf();
});

test('working hours that somebody else set since they were read stay as they are', async () => {
  const boss = await server.createUser('leading');
  const { device } = await pairedDevice(server, boss);
  const params = { id: boss.user.id };
  const ofUser = (workingHours: WorkingHours | null) =>
    boss.calls.users.changeWorkingHours({ params, body: { workingHours, seen: null } });
  const ofDevice = async (workingHours: WorkingHours | null) =>
    dataOf(await boss.calls.batches.start({ body: { ids: [device.id], action: 'hours', workingHours, seen: null } }));
  expect(dataOf(await ofUser(OFFICE)).workingHours).toEqual(OFFICE);
  expect(await ofUser(NIGHT)).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  // The same once more, because the first answer was lost.
  expect(dataOf(await ofUser(OFFICE)).workingHours).toEqual(OFFICE);
  expect(await ofDevice(OFFICE)).toMatchObject({ done: 1, failed: [] });
  expect(await ofDevice(NIGHT)).toMatchObject({ done: 0, failed: [{ id: device.id, error: 'CHANGED_MEANWHILE' }] });
  expect(await ofDevice(OFFICE)).toMatchObject({ done: 1, failed: [] });
  expect(await get(device.id)).toMatchObject({ workingHours: OFFICE });
});
