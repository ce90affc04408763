import { expect, test } from 'vitest';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { dataOf, startTestServer } from '../../test/server.ts';

/** The place and orientation of devices, and lists filtered by them. */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);
const found = async (query: Record<string, string>, session = boss) =>
  dataOf(await session.calls.devices.list({ query })).items.map(({ id }) => id);

test('a device has an area and an address, given by everybody who has it in scope', async () => {
  const { id } = dataOf(
    await boss.calls.devices.create({ body: { mac: '02:00:00:0a:00:01', ownerId: member.user.id, area: ' Lyon 2e ' } }),
  );
  const patch = (body: object) => member.calls.devices.update({ params: { id }, body });
  expect(dataOf(await patch({ address: '12 rue de la République' }))).toMatchObject({
    area: 'Lyon 2e',
    address: '12 rue de la République',
  });
  expect(await found({ q: 'lyon' })).toEqual([id]);
  expect(await found({ q: 'république' })).toEqual([id]);
  expect(await found({ area: 'LYON 2E' })).toEqual([id]);
  expect(await found({ area: 'Lyon' })).toEqual([]);
  expect(dataOf(await patch({ area: null, address: null }))).toMatchObject({ area: null, address: null });
  expect(await found({ q: 'lyon' })).toEqual([]);
});

test('an empty area or address is refused with its own prompt, in the language of the reader', async () => {
  const { id } = dataOf(await boss.calls.devices.create({ body: { mac: '02:00:00:0a:00:02' } }));
  const german = server.as(boss.token, { 'accept-language': 'de' });
  expect(await german.devices.update({ params: { id }, body: { area: ' ', address: '' } })).toMatchObject({
    code: 400,
    details: {
      fields: [
        { path: 'area', rule: 'area.required', message: 'Ort eingeben' },
        { path: 'address', rule: 'address.required', message: 'Adresse eingeben' },
      ],
    },
  });
  expect(await boss.calls.devices.update({ params: { id }, body: { area: 'x'.repeat(61) } })).toMatchObject({
    details: { fields: [{ rule: 'area.length' }] },
  });
});

test('areas in scope are suggested, the most frequent first', async () => {
  const stranger = await server.createUser('member');
  for (const [n, area] of ['Nantes', 'Nancy', 'Nancy'].entries()) {
    dataOf(await boss.calls.devices.create({ body: { mac: `02:00:00:0a:01:0${n}`, area } }));
  }
  const areas = async (q: string, session = boss) => dataOf(await session.calls.devices.areas({ query: { q } })).items;
  expect(await areas('nan')).toEqual(['Nancy', 'Nantes']);
  expect(await areas('nant')).toEqual(['Nantes']);
  expect(await areas('', stranger)).toEqual([]);
});

test('the orientation is that of the main screen, as reported at each start', async () => {
  const player = makeDevice(server);
  const start = (width: number, height: number) =>
    player.calls.player.enrol({ body: { mac: player.mac, screens: [{ width, height }] } });
  await start(1920, 1080);
  const { code } = await player.enrol();
  const { id } = dataOf(await boss.calls.devices.pair({ body: { code } }));
  const orientation = async () => dataOf(await boss.calls.devices.get({ params: { id } })).orientation;
  await start(1920, 1080);
  expect(await orientation()).toBe('horizontal');
  expect(await found({ orientation: 'horizontal' })).toEqual([id]);
  await start(1080, 1920);
  expect(await orientation()).toBe('vertical');
  expect(await found({ orientation: 'horizontal' })).toEqual([]);
  // A start that reports nothing changes nothing.
  await player.calls.player.enrol({ body: { mac: player.mac } });
  expect(await orientation()).toBe('vertical');
  const { id: silent } = dataOf(await boss.calls.devices.create({ body: { mac: '02:00:00:0a:00:03' } }));
  expect(dataOf(await boss.calls.devices.get({ params: { id: silent } })).orientation).toBeNull();
});

test('devices that failed are found, until they report otherwise or something new is released', async () => {
  const player = await pairedDevice(server, boss);
  const { id } = player.device;
  const report = async (state: 'failed' | 'done') => {
    const { version } = await player.manifest();
    const download = { state, doneBytes: 0, totalBytes: 9, ...(state === 'failed' && { reason: 'diskFull' }) };
    dataOf(await player.calls.player.status({ body: { manifestVersion: version, download } }));
  };
  expect(await found({ download: 'failed' })).toEqual([]);
  await report('failed');
  expect(await found({ download: 'failed' })).toEqual([id]);
  expect(await found({ download: 'waiting', paired: 'true' })).toContain(id);
  await report('done');
  expect(await found({ download: 'failed' })).toEqual([]);
});

test('a device that is online and waits for over an hour is stalled', async () => {
  const player = await pairedDevice(server, boss);
  const { id } = player.device;
  const { db } = server.deps;
  await db
    .updateTable('device_waits')
    .set({ since: new Date(Date.now() - 61 * 60_000) })
    .where('device_id', '=', id)
    .execute();
  expect(await found({ download: 'stalled' })).toEqual([]);
  const channel = await player.open();
  await expect.poll(() => found({ download: 'stalled' })).toEqual([id]);
  const { version } = await player.manifest();
  const download = { state: 'done' as const, doneBytes: 0, totalBytes: 0 };
  channel.status({ manifestVersion: version, download });
  await expect.poll(() => found({ download: 'stalled' })).toEqual([]);
  // New content starts the hour again.
  dataOf(await boss.calls.devices.update({ params: { id }, body: { name: 'Lobby' } }));
  expect(await found({ download: 'stalled' })).toEqual([]);
  await channel.close();
});

test('the list filters paired and unpaired devices', async () => {
  const { device } = await pairedDevice(server, member);
  const { id } = dataOf(
    await boss.calls.devices.create({ body: { mac: '02:00:00:0a:00:04', ownerId: member.user.id } }),
  );
  expect(await found({ paired: 'true' }, member)).toEqual([device.id]);
  expect(await found({ paired: 'false' }, member)).toContain(id);
  expect(await found({ paired: 'false' }, member)).not.toContain(device.id);
});
