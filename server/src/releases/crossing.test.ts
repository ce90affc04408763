import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { crossing } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Releases that end while something else happens to their ad: the ad, which counts them, is held before them. */
const server = await startTestServer();
const { db } = server.deps;

let dealer: Session;
beforeAll(async () => {
  dealer = await server.createUser('leading');
});

async function released() {
  const { id: adId } = await addPictureAd(server, dealer);
  const { device } = await pairedDevice(server, dealer);
  const send = () => dealer.calls.ads.release({ params: { id: adId }, body: { devices: { ids: [device.id] } } });
  return { adId, device, send, release: dataOf(await send()) };
}

test('an ad is deleted while a release of it is withdrawn', async () => {
  const { adId, release } = await released();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from releases where id = ${release.id} for update`,
    first: () => dealer.calls.releases.withdraw({ params: { id: release.id } }),
    second: () => dealer.calls.ads.delete({ params: { id: adId } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is deleted while the device that shows it is cleared', async () => {
  const { adId, device, release } = await released();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from releases where id = ${release.id} for update`,
    first: () => dealer.calls.batches.start({ body: { ids: [device.id], action: 'clear' } }),
    second: () => dealer.calls.ads.delete({ params: { id: adId } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is released to a device again that is cleared', async () => {
  const { device, send } = await released();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from devices where id = ${device.id} for update`,
    first: () => dealer.calls.batches.start({ body: { ids: [device.id], action: 'clear' } }),
    second: send,
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});
