import type { Ad } from '@ams/contract';
import { beforeAll, expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Ads that pass to another owner. */
const server = await startTestServer();

let dealer: Session;
let [first, second]: Session[] = [];
beforeAll(async () => {
  dealer = await server.createUser('leading');
  first = await server.createUser('member', dealer);
  second = await server.createUser('member', dealer);
});

const idOf = (session: Session | undefined): string => session?.user.id ?? '';
const read = async (id: string): Promise<Ad> => dataOf(await dealer.calls.ads.get({ params: { id } }));

async function give(id: string, owner: Session | undefined, name = 'Moved') {
  const { updatedAt, orientation, split, regions } = await read(id);
  const full = (regions.full ?? []).map(({ kind, fileId }) => ({ kind, fileId }));
  const body = { name, orientation, split, regions: { full }, ownerId: idOf(owner), updatedAt };
  return dealer.calls.ads.update({ params: { id }, body });
}

test('a released ad stays with its owner: nobody else could end what plays on that owner’s devices', async () => {
  if (!first || !second) throw new Error('no customers');
  const { id } = await addPictureAd(server, first);
  const { device } = await pairedDevice(server, first);
  const body = { devices: { ids: [device.id] } };
  const release = dataOf(await first.calls.ads.release({ params: { id }, body }));
  expect(await give(id, second)).toMatchObject({ code: 400, details: { fields: [{ path: 'ownerId' }] } });
  expect(await second.calls.ads.delete({ params: { id } })).toMatchObject({ code: 404 });
  expect((await read(id)).owner.id).toBe(idOf(first));
  // Its own owner may be named.
  expect((await give(id, first)).code).toBe(200);
  dataOf(await first.calls.releases.withdraw({ params: { id: release.id } }));
  expect(dataOf(await give(id, second)).owner.id).toBe(idOf(second));
});
