import { addDays, type Campaign } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { stopCrontab } from '../../test/crontab.ts';
import { addPictureAd } from '../../test/media.ts';
import { meanwhile } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Campaigns that several people and jobs change at once. */
const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
const TODAY = new Date().toISOString().slice(0, 10);

let dealer: Session;
let adId: string;
beforeAll(async () => {
  dealer = await server.createUser('leading');
  ({ id: adId } = await addPictureAd(server, dealer));
});

/** A draft for the devices with a tag, also later ones. */
async function draft(tag: string): Promise<Campaign> {
  const body = {
    name: tag,
    adIds: [adId],
    devices: { filter: { tags: { any: [tag] } } },
    standing: true,
    schedule: { from: TODAY, to: addDays(TODAY, 5) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perPlay' as const, amount: '1', currency: 'EUR' },
  };
  return dataOf(await dealer.calls.campaigns.create({ body }));
}

test('a campaign that passes to another customer meanwhile is found', async () => {
  const { id } = await draft('passed');
  const customer = await server.createUser('member', dealer);
  const answer = await meanwhile(db, {
    hold: sql`select from campaigns where id = ${id} for update`,
    call: () => dealer.calls.campaigns.delete({ params: { id } }),
    change: sql`update campaigns set customer_id = ${customer.user.id} where id = ${id}`,
  });
  expect(answer.code).toBe(200);
});
