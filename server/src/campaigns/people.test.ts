import type { Campaign, Envelope } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addTagged, draftCampaign } from '../../test/campaigns.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { addPictureAd } from '../../test/media.ts';
import { crossing } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** People are held before campaigns: whoever decides on a campaign while its customer changes waits for no deadlock. */
const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);

let dealer: Session;
beforeAll(async () => {
  dealer = await server.createUser('leading');
});

interface Scene {
  customer: Session;
  campaign: Campaign;
}

/** A draft of a customer with an ad of its own, on a device of its dealer. */
async function draft(): Promise<Scene> {
  const customer = await server.createUser('member', dealer);
  const { id: adId } = await addPictureAd(server, customer);
  const { device } = await addTagged(server, dealer, 'hall');
  return { customer, campaign: await draftCampaign(dealer, { customer, adId, deviceId: device.id }) };
}

async function requested(): Promise<Scene> {
  const scene = await draft();
  const campaign = dataOf(await dealer.calls.campaigns.request({ params: { id: scene.campaign.id } }));
  return { ...scene, campaign };
}

async function booked(): Promise<Scene> {
  const scene = await draft();
  const campaign = dataOf(await dealer.calls.campaigns.book({ params: { id: scene.campaign.id } }));
  return { ...scene, campaign };
}

const campaigns = (): Session['calls']['campaigns'] => dealer.calls.campaigns;
type Answer = Promise<Pick<Envelope<unknown>, 'code'>>;
const at = ({ campaign: { id } }: Scene) => ({ params: { id } });

describe.each<[string, () => Promise<Scene>, (scene: Scene) => Answer]>([
  ['booked', draft, (scene: Scene) => campaigns().book(at(scene))],
  ['requested', draft, (scene: Scene) => campaigns().request(at(scene))],
  ['approved', requested, (scene: Scene) => campaigns().approve(at(scene))],
  ['rejected', requested, (scene: Scene) => campaigns().reject({ ...at(scene), body: { remark: 'No' } })],
  ['cancelled', booked, (scene: Scene) => campaigns().cancel(at(scene))],
  ['deleted', draft, (scene: Scene) => campaigns().delete(at(scene))],
])('a campaign is %s', (_, begin, call) => {
  test.each<[string, (customer: Session) => Answer]>([
    [
      'disabled',
      ({ user: { id } }: Session) =>
        dealer.calls.users.update({ params: { id }, body: { disabled: true, remark: 'x' } }),
    ],
    ['deleted', ({ user: { id } }: Session) => dealer.calls.users.delete({ params: { id } })],
  ])('while its customer is %s', async (_name, change) => {
    const scene = await begin();
    const { answers, deadlocks } = await crossing(db, {
      hold: sql`select from campaigns where id = ${scene.campaign.id} for update`,
      first: () => call(scene),
      second: () => change(scene.customer),
    });
    expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
  });
});
