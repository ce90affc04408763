import type { BatchBody, BatchChange, MediaFile } from '@ams/contract';
import { addMonths, formatMac, localTime } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { meanwhile } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Previews of batches, and their undoing. */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const { db } = server.deps;
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);

let macs = 0;
async function add(session: Session, expiresAt: string | null, name = ''): Promise<string> {
  macs += 1;
  const mac = `0a00000a${macs.toString(16).padStart(4, '0')}`;
  const { id } = dataOf(await session.calls.devices.create({ body: { mac, name } }));
  dataOf(await session.calls.devices.update({ params: { id }, body: { expiresAt } }));
  return id;
}

const device = async (id: string) => dataOf(await boss.calls.devices.get({ params: { id } }));
const start = async (body: BatchBody, session = boss) => dataOf(await session.calls.batches.start({ body }));
const undo = (id: string | undefined, session = boss) => session.calls.batches.undo({ body: { undo: id ?? '' } });
const today = localTime(Date.now(), 'UTC').date;

test('extending moves each device from its own date, or from today when that is past', async () => {
  const [far, past, never] = [await add(boss, '2031-01-31'), await add(boss, '2020-05-05'), await add(boss, null)];
  const ids = [far, past, never];
  const dry = await start({ ids, action: 'extend', months: 1, dryRun: true });
  expect(dry).toEqual({
    done: 3,
    failed: [],
    preview: {
      changes: [
        { from: '2020-05-05', to: addMonths(today, 1), devices: 1 },
        { from: '2031-01-31', to: '2031-02-28', devices: 1 },
      ],
      unchanged: 1,
      earlier: 0,
    },
  });
  expect(await device(far)).toMatchObject({ expiresAt: '2031-01-31' });
  expect(await start({ ids, action: 'extend', months: 1 })).toMatchObject({ done: 3, failed: [] });
  const dates = await Promise.all(ids.map(async (id) => (await device(id)).expiresAt));
  expect(dates).toEqual(['2031-02-28', addMonths(today, 1), null]);
});

test('a preview names what would move earlier, and ids out of scope', async () => {
  const ids = [await add(boss, '2027-11-22'), await add(boss, '2028-10-22'), await add(boss, null)];
  const stranger = await server.createUser('leading');
  const foreign = await add(stranger, '2027-11-22');
  const dry = await start({ ids: [...ids, foreign], action: 'expire', date: '2027-12-22', dryRun: true });
  expect(dry).toMatchObject({
    done: 3,
    failed: [{ id: foreign, error: 'NOT_FOUND' }],
    preview: { unchanged: 0, earlier: 2 },
  });
  const moved = await start({ ids, action: 'reassign', ownerId: member.user.id, dryRun: true });
  const change = { from: boss.user.username, to: member.user.username, devices: 3 };
  expect(moved.preview?.changes).toEqual([change]);
  expect((await start({ ids, action: 'timeZone', timeZone: 'UTC', dryRun: true })).preview?.unchanged).toBe(3);
  expect((await device(ids[0] ?? '')).expiresAt).toBe('2027-11-22');
});

test('a preview of new names has the numbers that the batch gives, by order of the ids and of the list', async () => {
  const owner = await server.createUser('leading');
  const first = await add(owner, null, 'Lift');
  const nameless = await add(owner, null);
  const same = await add(owner, null, 'Hall 3');
  const foreign = await add(boss, null, 'Elsewhere');
  const ids = [first, nameless, same, foreign];
  const mac = formatMac(dataOf(await owner.calls.devices.get({ params: { id: nameless } })).mac);
  const order = { action: 'rename', name: 'Hall {n}' } as const;
  expect(await start({ ids, ...order, dryRun: true }, owner)).toEqual({
    done: 3,
    failed: [{ id: foreign, error: 'NOT_FOUND' }],
    preview: {
      changes: [
        { from: 'Lift', to: 'Hall 1', devices: 1 },
        { from: mac, to: 'Hall 2', devices: 1 },
      ],
      unchanged: 1,
      earlier: 0,
    },
  });
  // The list has the newest first.
  const all = await start({ filter: {}, ...order, dryRun: true }, owner);
  expect(all.preview?.changes).toEqual([
    { from: 'Hall 3', to: 'Hall 1', devices: 1 },
    { from: mac, to: 'Hall 2', devices: 1 },
    { from: 'Lift', to: 'Hall 3', devices: 1 },
  ]);
  const names = async () => dataOf(await owner.calls.devices.list({ query: {} })).items.map(({ name }) => name);
  expect(await names()).toEqual(['Hall 3', '', 'Lift']);
  await start({ filter: {}, ...order }, owner);
  expect(await names()).toEqual(['Hall 1', 'Hall 2', 'Hall 3']);
});

test('a preview of equal names counts the devices of each name, with the most frequent first', async () => {
  const owner = await server.createUser('leading');
  const names = [...Array.from({ length: 10 }, () => 'Door'), 'Window'];
  for (const name of names) await add(owner, null, name);
  const equal = await start({ filter: {}, action: 'rename', name: 'Entrance', dryRun: true }, owner);
  expect(equal.preview?.changes).toEqual([
    { from: 'Door', to: 'Entrance', devices: 10 },
    { from: 'Window', to: 'Entrance', devices: 1 },
  ]);
  const numbered = await start({ filter: { q: 'Door' }, action: 'rename', name: '{n}', dryRun: true }, owner);
  expect(numbered.preview?.changes.map(({ to }) => to)).toEqual([
    '01',
    '02',
    '03',
    '04',
    '05',
    '06',
    '07',
    '08',
    '09',
    '10',
  ]);
});

test('a name that its number makes too long is refused, by the preview too', async () => {
  const owner = await server.createUser('leading');
  await sql`
    insert into devices (id, mac, name, owner_id, time_zone)
    select gen_random_uuid(), '0a00000b' || lpad(to_hex(n), 4, '0'), '', ${owner.user.id}, 'UTC'
    from generate_series(1, 1000) n`.execute(db);
  const ids = await db.selectFrom('devices').select('id').where('owner_id', '=', owner.user.id).execute();
  const rename = (name: string, some: object, dryRun: boolean) =>
    owner.calls.batches.start({ body: { ...some, action: 'rename', name, dryRun } });
  const start56 = 'a'.repeat(56);
  for (const chosen of [{ ids: ids.map(({ id }) => id) }, { filter: {} }]) {
    for (const dryRun of [true, false]) {
      expect(await rename(`${start56}a{n}`, chosen, dryRun)).toMatchObject({
        error: 'INVALID',
        details: { fields: [{ path: 'name', rule: 'name.numbered' }] },
      });
      expect(await rename(`${start56}{n}`, chosen, dryRun)).toMatchObject({ code: 200 });
    }
  }
});

test('expiry, time zone and names go back to what each device had; the audit has old and new values', async () => {
  const ids = [await add(boss, '2027-11-22', 'Door'), await add(boss, '2028-10-22', 'Window')];
  const before = await Promise.all(ids.map(device));
  for (const order of [
    { action: 'expire', date: '2027-12-22' },
    { action: 'extend', months: 6 },
    { action: 'timeZone', timeZone: 'Europe/Paris' },
    { action: 'rename', name: 'Hall {n}' },
  ] as const) {
    const done = await start({ ids, ...order });
    expect(await Promise.all(ids.map(device))).not.toEqual(before);
    const [line] = dataOf(await boss.calls.users.listAudit()).items;
    expect(line).toMatchObject({ action: `devices.batch.${order.action}`, details: { devices: 2 } });
    const changes = line?.details?.['changes'] as BatchChange[];
    expect(changes).not.toEqual([]);
    expect(dataOf(await undo(done.undo))).toEqual({ done: 2, failed: [] });
    expect(await Promise.all(ids.map(device))).toEqual(before);
    const [undoing] = dataOf(await boss.calls.users.listAudit()).items;
    const changedBack = changes.map(({ from, to, devices }) => ({ from: to, to: from, devices }));
    expect(undoing?.details?.['changes']).toEqual(expect.arrayContaining(changedBack));
  }
  const [line] = dataOf(await boss.calls.users.listAudit()).items;
  expect(line).toMatchObject({ action: 'devices.batch.undo', details: { of: 'rename', devices: 2 } });
});

test('names are numbered by place, with equal digits', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => add(boss, null)));
  await start({ ids, action: 'rename', name: 'Hall {n}' });
  expect((await device(ids[0] ?? '')).name).toBe('Hall 01');
  expect((await device(ids[9] ?? '')).name).toBe('Hall 10');
});

test('a time zone that an operator set by batch and undid is the reported one again', async () => {
  const player = await pairedDevice(server, boss);
  const { id } = player.device;
  const done = await start({ ids: [id], action: 'timeZone', timeZone: 'Europe/Paris' });
  dataOf(await undo(done.undo));
  await player.calls.player.enrol({ body: { mac: player.mac, timeZone: 'Asia/Tokyo' } });
  expect((await device(id)).timeZone).toBe('Asia/Tokyo');
});

test('a device that somebody changed meanwhile stays as it is and is named', async () => {
  const ids = [await add(boss, '2027-11-22'), await add(boss, '2027-11-22', 'Lobby')];
  const done = await start({ ids, action: 'expire', date: '2029-01-01' });
  dataOf(await boss.calls.devices.update({ params: { id: ids[1] ?? '' }, body: { expiresAt: '2030-01-01' } }));
  expect(dataOf(await undo(done.undo))).toMatchObject({
    done: 1,
    failed: [{ id: ids[1], name: 'Lobby', error: 'CHANGED_MEANWHILE' }],
  });
  expect((await device(ids[0] ?? '')).expiresAt).toBe('2027-11-22');
  expect((await device(ids[1] ?? '')).expiresAt).toBe('2030-01-01');
});

test('a batch is undone once, by whoever ordered it, within a minute', async () => {
  const ids = [await add(boss, '2027-11-22')];
  const order = { ids, action: 'expire', date: '2029-01-01' } as const;
  const { undo: first } = await start(order);
  expect(await undo(first, await server.createUser('leading'))).toMatchObject({ code: 409, error: 'UNDO_OVER' });
  const twice = await Promise.all([undo(first), undo(first)]);
  expect(twice.map(({ code }) => code).toSorted()).toEqual([200, 409]);
  const { undo: second } = await start(order);
  await sql`update batches set finished_at = now() - interval '61 seconds' where id = ${second ?? ''}`.execute(db);
  expect(await undo(second)).toMatchObject({ error: 'UNDO_OVER' });
  expect((await start({ ids, action: 'restart' })).undo).toBeUndefined();
});

test('a user who was demoted meanwhile undoes nothing', async () => {
  const dealer = await server.createUser('leading', boss);
  const id = await add(dealer, '2027-11-22');
  const done = await start({ ids: [id], action: 'expire', date: '2029-01-01' }, dealer);
  dataOf(await boss.calls.users.update({ params: { id: dealer.user.id }, body: { role: 'member' } }));
  expect(dataOf(await undo(done.undo, dealer))).toMatchObject({ done: 0, failed: [{ id, error: 'LEADING_ONLY' }] });
  expect((await device(id)).expiresAt).toBe('2029-01-01');
});

test('a new owner and withdrawn releases are undone, with what plays', async () => {
  const player = await pairedDevice(server, boss);
  const { id } = player.device;
  const file = await addFile(server, boss, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const regions = { full: [{ kind: 'file' as const, fileId: file.id }] };
  const ad = dataOf(
    await boss.calls.ads.create({ body: { name: 'Sale', orientation: 'vertical', split: 'full', regions } }),
  );
  dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } }));
  const plays = async () => (await player.manifest()).screens.main.map(({ name }) => name);
  expect(await plays()).toEqual(['Sale']);

  const ids = [id, await add(boss, null)];
  for (const action of ['clear', 'delete'] as const) {
    const changes = [{ from: 'Sale', to: null, devices: 1 }];
    expect(await start({ ids, action, dryRun: true })).toMatchObject({ done: 2, preview: { changes, unchanged: 1 } });
  }
  expect(await plays()).toEqual(['Sale']);
  const cleared = await start({ ids: [id], action: 'clear' });
  expect(await plays()).toEqual([]);
  expect(dataOf(await undo(cleared.undo))).toEqual({ done: 1, failed: [] });
  expect(await plays()).toEqual(['Sale']);
  expect(dataOf(await boss.calls.home.summary()).ads.released).toBe(1);

  const dealer = await server.createUser('leading', boss);
  const other = await pairedDevice(server, dealer);
  const ofDealer = [other.device.id];
  const given = await start({ ids: ofDealer, action: 'reassign', ownerId: member.user.id });
  expect((await device(other.device.id)).owner.id).toBe(member.user.id);
  expect(dataOf(await undo(given.undo))).toEqual({ done: 1, failed: [] });
  expect((await device(other.device.id)).owner.id).toBe(dealer.user.id);
});

/** Two devices with an ad of their own each, of which one has a second ad. */
async function withLost() {
  const [player, other] = [await pairedDevice(server, boss), await pairedDevice(server, boss)];
  const ids = [player.device.id, other.device.id];
  const release = async (name: string, devices: string[], seed: number) => {
    const file = await addFile(server, boss, await makeMp4(seed), {
      name: `${name}.mp4`,
      orientation: 'vertical',
      kind: 2,
    });
    const regions = { full: [{ kind: 'file' as const, fileId: file.id }] };
    const ad = dataOf(await boss.calls.ads.create({ body: { name, orientation: 'vertical', split: 'full', regions } }));
    const sent = dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: devices } } }));
    return { ad, file, release: sent };
  };
  await release('Kept', ids, 1);
  return { player, other, ids, lost: await release('Lost', [player.device.id], 2) };
}

const exists = async (sha256: string) =>
  (await db.selectFrom('blobs').select('sha256').where('sha256', '=', sha256).execute()).length > 0;

test('undoing a clear names the devices whose release cannot return, because a file was deleted', async () => {
  const { player, other, ids, lost } = await withLost();
  const cleared = await start({ ids, action: 'clear' });
  dataOf(await boss.calls.ads.delete({ params: { id: lost.ad.id } }));
  dataOf(await boss.calls.files.delete({ params: { id: lost.file.id } }));
  await expect.poll(() => exists(lost.file.sha256)).toBe(false);
  expect(dataOf(await undo(cleared.undo))).toMatchObject({
    done: 1,
    failed: [{ id: player.device.id, error: 'CHANGED_MEANWHILE' }],
  });
  for (const each of [player, other]) {
    expect((await each.manifest()).screens.main.map(({ name }) => name)).toEqual(['Kept']);
  }
});

test('no release returns whose content is being removed', async () => {
  const { player, ids, lost } = await withLost();
  const removing = ({ id, sha256 }: MediaFile) => ({
    hold: sql`select pg_advisory_xact_lock(hashtext('files.blobs'))`,
    change: sql`
      with shown as (delete from ad_items where file_id = ${id}), file as (delete from files where id = ${id})
      delete from blobs where sha256 = ${sha256}`,
  });
  const cleared = await start({ ids, action: 'clear' });
  expect(dataOf(await meanwhile(db, { ...removing(lost.file), call: () => undo(cleared.undo) }))).toMatchObject({
    failed: [{ id: player.device.id, error: 'CHANGED_MEANWHILE' }],
  });

  const { lost: second } = await withLost();
  const params = { id: second.release.id };
  dataOf(await boss.calls.releases.withdraw({ params }));
  const call = () => boss.calls.releases.restore({ params });
  expect(await meanwhile(db, { ...removing(second.file), call })).toMatchObject({ error: 'UNDO_OVER' });
});

test('undoing a clear, or a move, brings nothing back to a device that somebody else cleared meanwhile', async () => {
  const { player, other, ids } = await withLost();
  const playing = async (on: typeof player) => (await on.manifest()).screens.main.map(({ name }) => name);
  const above = await server.login();
  const once = await start({ ids, action: 'clear' });
  await start({ ids: [player.device.id], action: 'clear' }, above);
  // The person who undoes cleared the other device twice.
  await start({ ids: [other.device.id], action: 'clear' });
  expect(dataOf(await undo(once.undo))).toMatchObject({
    done: 1,
    failed: [{ id: player.device.id, error: 'CHANGED_MEANWHILE' }],
  });
  expect(await playing(player)).toEqual([]);
  expect(await playing(other)).toEqual(['Kept']);

  const again = await start({ ids: [other.device.id], action: 'clear' });
  dataOf(await above.calls.devices.clear({ params: { id: other.device.id } }));
  expect(dataOf(await undo(again.undo))).toMatchObject({ done: 0, failed: [{ id: other.device.id }] });
  expect(await playing(other)).toEqual([]);

  const moving = await withLost();
  const [moved = ''] = moving.ids;
  const dealer = await server.createUser('leading', boss);
  const given = await start({ ids: [moved], action: 'reassign', ownerId: dealer.user.id }, above);
  await start({ ids: [moved], action: 'clear' });
  dataOf(await undo(given.undo, above));
  expect(await playing(moving.player)).toEqual([]);
});

test('a clear that somebody else undid does not keep an earlier one from being undone', async () => {
  const { player, ids } = await withLost();
  const above = await server.login();
  const first = await start({ ids, action: 'clear' });
  const second = await start({ ids, action: 'clear' }, above);
  dataOf(await undo(second.undo, above));
  expect(dataOf(await undo(first.undo))).toEqual({ done: 2, failed: [] });
  expect((await player.manifest()).screens.main.map(({ name }) => name)).toEqual(['Lost']);
});
