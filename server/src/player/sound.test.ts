import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, startTestServer } from '../../test/server.ts';

const server = await startTestServer();

test('of two screens only the main one has sound until that is changed, and the device receives the change', async () => {
  const owner = await server.createUser('member');
  const { device, manifest } = await pairedDevice(server, owner);
  const { version, sound } = await manifest();
  expect(sound).toEqual({ main: true, secondary: false });
  const wanted = { main: false, secondary: true };
  const changed = dataOf(await owner.calls.devices.update({ params: { id: device.id }, body: { sound: wanted } }));
  expect(changed.sound).toEqual(wanted);
  const told = await manifest();
  expect(told.sound).toEqual(wanted);
  expect(told.version).not.toBe(version);
});

test('setting the sound of one screen keeps what somebody else set for the other one', async () => {
  const owner = await server.createUser('member');
  const { device } = await pairedDevice(server, owner);
  const set = (sound: { main?: boolean; secondary?: boolean }) =>
    owner.calls.devices.update({ params: { id: device.id }, body: { sound } });
  const both = (await Promise.all([set({ main: false }), set({ secondary: true })])).map(dataOf);
  expect(both.map(({ sound }) => sound)).toContainEqual({ main: false, secondary: true });
  expect(dataOf(await set({})).sound).toEqual({ main: false, secondary: true });
});

test('an ad keeps its sound and its background colour, and its release brings them to devices', async () => {
  const owner = await server.createUser('member');
  const { device, manifest } = await pairedDevice(server, owner);
  const plain = await addPictureAd(server, owner);
  expect(plain).toMatchObject({ muted: false, background: '#000000' });
  const { id, owner: _owner, ...body } = plain;
  const look = { muted: true, background: '#ff8800' };
  const ad = dataOf(await owner.calls.ads.update({ params: { id }, body: { ...body, ...look } }));
  expect(ad).toMatchObject(look);
  const copy = dataOf(await owner.calls.ads.copy({ params: { id }, body: { name: 'Copy' } }));
  expect(copy).toMatchObject(look);
  dataOf(await owner.calls.ads.release({ params: { id }, body: { devices: { ids: [device.id] } } }));
  expect((await manifest()).screens.main).toMatchObject([look]);
  const wrong = { ...body, background: 'red', updatedAt: ad.updatedAt };
  expect(await owner.calls.ads.update({ params: { id }, body: wrong })).toMatchObject({ code: 400 });
});
