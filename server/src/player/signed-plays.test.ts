import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { addDays, type Campaign, type MediaFile, type Play, signedText } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { type SentBatch, signingDevice } from '../../test/signing.ts';
import { checkFile } from '../../../web/verify/check-file.ts';
import { PLAYER_LINKS } from '../features.ts';
import { storePlays } from './plays.service.ts';

const server = await startTestServer();
const { db } = server.deps;
const TODAY = new Date().toISOString().slice(0, 10);
let dealer: Session;
let video: MediaFile;
const DAY_MS = 86_400_000;
/** Plays that wait for the network, and those of them that a player sends at a time. */
const [BACKLOG, BATCH_PLAYS] = [20_000, 500];
let clock = Date.now() - 20 * 3_600_000;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
});

/** A campaign on a device, booked since long. */
async function campaignOn(deviceId: string): Promise<Campaign> {
  const ad = await addAd(dealer, 'creative', video.id);
  const body = {
    name: 'Spring',
    adIds: [ad.id],
    devices: { ids: [deviceId] },
    schedule: { from: TODAY, to: addDays(TODAY, 9) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perPlay' as const, amount: '0.05', currency: 'EUR' },
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body }));
  const booked = dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  await sql`update release_devices set started_at = now() - interval '2 days' where device_id = ${deviceId}`.execute(
    db,
  );
  return booked;
}

/** Plays one after the other, later than all before. */
const playsOf = (releaseId: string, count: number): Play[] =>
  Array.from({ length: count }, () => {
    clock += 3000;
    return {
      ...{ releaseId, sha256: video.sha256, durationMs: 2000, screen: 'main' as const },
      at: new Date(clock).toISOString(),
    };
  });

async function scene() {
  const device = await signingDevice(server, dealer);
  const campaign = await campaignOn(device.id);
  const release = campaign.creatives[0]?.releaseId ?? '';
  return { device, campaign, next: (count = 2) => device.sign(playsOf(release, count)) };
}

const delivered = async ({ id }: Campaign): Promise<number> =>
  dataOf(await dealer.calls.campaigns.delivery({ params: { id } })).delivered;

const keptOf = async (deviceId: string) => {
  const { rows } = await sql<{ seq: number; signed: Buffer; signature: Buffer; uncounted: unknown }>`
    select b.seq, b.signed, b.signature, b.uncounted from play_chains c join signed_batches b on b.chain_id = c.id
    where c.device_id = ${deviceId} order by c.id, b.seq`.execute(db);
  return rows;
};

const gapsOf = async (deviceId: string): Promise<string[]> => {
  const { rows } = await sql<{ gap: string }>`
    select g.first_seq || '-' || g.last_seq as gap from play_chains c join play_chain_gaps g on g.chain_id = c.id
    where c.device_id = ${deviceId} order by c.id, g.first_seq`.execute(db);
  return rows.map(({ gap }) => gap);
};

test('a signed batch counts and is kept as it was signed, to the byte', async () => {
  const { device, campaign, next } = await scene();
  const batch = await next();
  expect(dataOf(await device.send(batch))).toEqual({ accepted: 2, rejected: 0 });
  expect(await delivered(campaign)).toBe(2);
  const [kept] = await keptOf(device.id);
  const { seq, previous, plays } = batch;
  expect(inflateRawSync(kept?.signed ?? '').toString()).toBe(signedText({ device: device.id, seq, previous, plays }));
  expect(kept?.signature.toString('base64url')).toBe(batch.signature);
  expect(kept?.uncounted).toEqual([]);
  dataOf(await device.send(await next()));
  expect(await gapsOf(device.id)).toEqual([]);
  expect(await delivered(campaign)).toBe(4);
});

test('a spot that lasted less than a tenth of a second counts for nothing, in the verification file neither', async () => {
  const { device, campaign } = await scene();
  const lasting = [0, 99, 100, 2000];
  const spots = playsOf(campaign.creatives[0]?.releaseId ?? '', lasting.length);
  const plays = spots.map((play, index) => ({ ...play, durationMs: lasting[index] ?? 0 }));
  const reasons = [0, 1].map((index) => ({ index, reason: 'short' }));
  expect(dataOf(await device.send(await device.sign(plays)))).toEqual({ accepted: 2, rejected: 2, reasons });
  expect(await delivered(campaign)).toBe(2);
  expect((await keptOf(device.id))[0]?.uncounted).toEqual(reasons.map(({ index, reason }) => [index, reason]));
  const proof = await (await proofOf(campaign)).text();
  expect(await checkFile(inPieces(proof))).toMatchObject({ faults: [], counted: 2, proven: 2 });
});

test('a batch that was altered, or signed by another key, counts for nothing and says why', async () => {
  const { device, campaign, next } = await scene();
  const batch = await next();
  const [first, ...others] = batch.plays;
  const altered = { ...batch, plays: first ? [{ ...first, durationMs: 1999 }, ...others] : [] };
  for (const bad of [altered, { ...batch, seq: 2 }, { ...batch, previous: '0'.repeat(64) }]) {
    const reply = await device.send(bad);
    expect(reply).toMatchObject({ code: 422, error: 'BAD_PLAY_SIGNATURE' });
  }
  const stranger = await scene();
  expect(await device.send(await stranger.next())).toMatchObject({ error: 'BAD_PLAY_SIGNATURE' });
  expect(await delivered(campaign)).toBe(0);
  expect(await keptOf(device.id)).toEqual([]);
  expect(dataOf(await device.send(batch))).toMatchObject({ accepted: 2 });
});

test('an older player reports without signatures, and a signature without a registered key is refused', async () => {
  const old = await pairedDevice(server, dealer);
  const campaign = await campaignOn(old.device.id);
  const plays = playsOf(campaign.creatives[0]?.releaseId ?? '', 2);
  const { device, next } = await scene();
  const { signature, seq } = await next();
  const body = { batch: randomUUID(), plays };
  expect(await old.calls.player.plays({ body: { ...body, signature, seq } })).toMatchObject({ code: 422 });
  expect(dataOf(await old.calls.player.plays({ body }))).toMatchObject({ accepted: 2 });
  expect(await delivered(campaign)).toBe(2);
  expect(await keptOf(old.device.id)).toEqual([]);
  const form = await device.calls.player.plays({ body: { ...body, signature: 'abc', seq } });
  expect(form).toMatchObject({ code: 400, error: 'INVALID' });
});

test('old batches that are replayed count once, under whatever name', async () => {
  const { device, campaign, next } = await scene();
  const batches = [await next(), await next(), await next()];
  for (const batch of batches) dataOf(await device.send(batch));
  for (const batch of batches) {
    expect(dataOf(await device.send(batch))).toMatchObject({ accepted: 2 });
    expect(dataOf(await device.send({ ...batch, batch: randomUUID() }))).toMatchObject({ accepted: 2 });
  }
  expect(await delivered(campaign)).toBe(6);
  expect((await keptOf(device.id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(await gapsOf(device.id)).toEqual([]);
});

test('a signed batch that is replayed when its plays are no longer on record counts once', async () => {
  const { device, campaign, next } = await scene();
  const batches = [await next(), await next(), await next()];
  for (const batch of batches) dataOf(await device.send(batch));
  // Plays and names of batches are on record for some days; what was signed, for as long as the sums.
  await sql`delete from plays where device_id = ${device.id}`.execute(db);
  await sql`update play_inboxes set batches = '{}' where device_id = ${device.id}`.execute(db);
  for (const batch of batches) {
    expect(dataOf(await device.send(batch))).toMatchObject({ accepted: 2 });
    expect(dataOf(await device.send({ ...batch, batch: randomUUID() }))).toMatchObject({ accepted: 2 });
  }
  expect(await delivered(campaign)).toBe(6);
  dataOf(await device.send(await next()));
  expect(await delivered(campaign)).toBe(8);
});

test('the plays of two weeks without a network count once each, in whatever order and however often batches come', async () => {
  const { device, campaign } = await scene();
  const release = campaign.creatives[0]?.releaseId ?? '';
  await sql`update release_devices set started_at = now() - interval '15 days' where device_id = ${device.id}`.execute(
    db,
  );
  const [began, stepMs] = [Date.now() - 14 * DAY_MS, 60_000];
  const plays = Array.from({ length: BACKLOG }, (_, index) => ({
    ...{ releaseId: release, sha256: video.sha256, durationMs: 2000, screen: 'main' as const },
    at: new Date(began + index * stepMs).toISOString(),
  }));
  const batches: SentBatch[] = [];
  for (let from = 0; from < BACKLOG; from += BATCH_PLAYS) {
    batches.push(await device.sign(plays.slice(from, from + BATCH_PLAYS)));
  }
  // Two processes behind a balancer, answers that are lost, and a queue that is sent from both ends.
  const late = batches.toReversed();
  for (const [index, batch] of batches.entries()) {
    const sent = [batch, late[index] ?? batch, { ...batch, batch: randomUUID() }].map((each) => device.send(each));
    for (const reply of await Promise.all(sent)) {
      expect(dataOf(reply)).toEqual({ accepted: BATCH_PLAYS, rejected: 0 });
    }
  }
  expect(await delivered(campaign)).toBe(BACKLOG);
  const { rows } = await sql<{ plays: number; days: number; months: number }>`
      select (select count(*) from plays where device_id = ${device.id}) as plays,
        (select sum(plays) from play_days where device_id = ${device.id}) as days,
        (select sum(plays_to[31]) from play_item_months where device_id = ${device.id}) as months`.execute(db);
  expect(rows).toEqual([{ plays: BACKLOG, days: BACKLOG, months: BACKLOG }]);
  expect((await keptOf(device.id)).map(({ seq }) => seq)).toEqual(batches.map(({ seq }) => seq));
  expect(await gapsOf(device.id)).toEqual([]);
}, 300_000);

test('skipped batches are a visible gap that late ones fill', async () => {
  const { device, campaign, next } = await scene();
  const batches: SentBatch[] = [];
  for (let each = 0; each < 6; each += 1) batches.push(await next());
  const send = async (...numbers: number[]): Promise<void> => {
    for (const seq of numbers) dataOf(await device.send(batches[seq - 1] ?? (await next())));
  };
  await send(2, 6);
  expect(await gapsOf(device.id)).toEqual(['1-1', '3-5']);
  await send(4);
  expect(await gapsOf(device.id)).toEqual(['1-1', '3-3', '5-5']);
  await send(3, 5, 1);
  expect(await gapsOf(device.id)).toEqual([]);
  expect(await delivered(campaign)).toBe(12);
  expect(await keptOf(device.id)).toHaveLength(6);
});

test('a key that is new after a reset begins a new chain and is audited', async () => {
  const { device, campaign, next } = await scene();
  const before = await next();
  dataOf(await device.send(before));
  await device.renewKey();
  expect(await device.send({ ...before, batch: randomUUID() })).toMatchObject({ error: 'BAD_PLAY_SIGNATURE' });
  dataOf(await device.send(await next()));
  expect((await keptOf(device.id)).map(({ seq }) => seq)).toEqual([1, 1]);
  expect(await gapsOf(device.id)).toEqual([]);
  expect(await delivered(campaign)).toBe(4);
  const { items } = dataOf(await dealer.calls.users.listAudit());
  const entries = items.filter(({ action, targetId }) => action === 'devices.key' && targetId === device.id);
  expect(entries).toHaveLength(1);
});

/** Statements that wait for a lock of another transaction. */
const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
};

test('a batch that is counted while its device registers another key stays in the chain of its own key', async () => {
  const { device, campaign, next } = await scene();
  const batch = await next();
  const release = campaign.creatives[0]?.releaseId ?? '';
  // The report waits for this row after its signature was checked.
  const held = await db.startTransaction().execute();
  const item = { release_id: release, sha256: video.sha256, screen: 'main', file_name: '' } as const;
  await held.insertInto('play_items').values(item).execute();
  const sent = device.send(batch);
  await vi.waitFor(async () => expect(await waiting()).toBe(1));
  const renewed = device.renewKey();
  await Promise.race([renewed, vi.waitFor(async () => expect(await waiting()).toBe(2))]);
  await held.rollback().execute();
  await renewed;
  expect(dataOf(await sent)).toMatchObject({ accepted: 2 });
  dataOf(await device.send(await next()));
  expect(await gapsOf(device.id)).toEqual([]);
  const proof = await (await proofOf(campaign)).text();
  expect(await checkFile(inPieces(proof))).toMatchObject({ faults: [], proven: 4, batches: 2 });
});

test('a device that lost its count uses a number twice: its plays count and the broken link is visible', async () => {
  const { device, campaign, next } = await scene();
  dataOf(await device.send(await next()));
  device.rewind();
  dataOf(await device.send(await next()));
  expect(await gapsOf(device.id)).toEqual(['1-0']);
  expect(await keptOf(device.id)).toHaveLength(2);
  expect(await delivered(campaign)).toBe(4);
});

test('two processes that receive the same batch at once count it once', async () => {
  const { device, campaign, next } = await scene();
  const batch = await next(20);
  const take = (name: string) => storePlays(db, PLAYER_LINKS, device.id, { ...batch, batch: name });
  await Promise.all([take(batch.batch), take(batch.batch), take(randomUUID()), take(batch.batch)]);
  expect(await delivered(campaign)).toBe(20);
  expect(await keptOf(device.id)).toHaveLength(1);
});

test('plays that do not count are named beside the batch', async () => {
  const { device, next } = await scene();
  const batch = await next(3);
  dataOf(await device.send(batch));
  const again = await device.sign([
    ...batch.plays.slice(0, 1),
    ...playsOf(randomUUID(), 1),
    ...batch.plays.slice(2).map((play) => ({ ...play, at: '2099-01-01T00:00:00.000Z' })),
  ]);
  dataOf(await device.send(again));
  expect((await keptOf(device.id)).at(-1)?.uncounted).toEqual([
    [0, 'repeated'],
    [1, 'unknown'],
    [2, 'future'],
  ]);
});

test('a key that is no point of the curve is refused', async () => {
  const device = await pairedDevice(server, dealer);
  const publicKey = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) } as const;
  const reply = await device.calls.player.enrol({ body: { mac: device.mac, publicKey } });
  expect(reply).toMatchObject({ code: 400, error: 'INVALID' });
});

test('batches without plays of campaigns move the chain on and are not kept', async () => {
  const { device, campaign, next } = await scene();
  dataOf(await device.send(await next()));
  dataOf(await device.send(await device.sign(playsOf(randomUUID(), 1))));
  dataOf(await device.send(await next()));
  expect((await keptOf(device.id)).map(({ seq }) => seq)).toEqual([1, 3]);
  expect(await gapsOf(device.id)).toEqual([]);
  expect(await delivered(campaign)).toBe(4);
});

test('a signed batch without plays of campaigns that is repeated after its plays were dropped counts once', async () => {
  const { device, next } = await scene();
  const ad = await addAd(dealer, 'poster', video.id);
  const body = { devices: { ids: [device.id] } };
  const release = dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body }));
  await sql`update release_devices set started_at = now() - interval '2 days' where device_id = ${device.id}`.execute(
    db,
  );
  const old = await device.sign(playsOf(release.id, 3));
  expect(dataOf(await device.send(old))).toMatchObject({ accepted: 3 });
  dataOf(await device.send(await next()));
  // What the nightly job does when the day is dropped.
  await sql`
    update play_inboxes set batches = '{}', forgotten_to = (select max(at) from plays where device_id = ${device.id})
    where device_id = ${device.id}`.execute(db);
  await sql`delete from plays where device_id = ${device.id}`.execute(db);
  for (const batch of [old, { ...old, batch: randomUUID() }]) {
    expect(dataOf(await device.send(batch))).toMatchObject({ accepted: 0, rejected: 3 });
  }
  const { batch, plays } = old;
  const unsigned = await device.calls.player.plays({ body: { batch: `${batch.slice(0, -1)}0`, plays } });
  expect(dataOf(unsigned)).toMatchObject({ accepted: 0, rejected: 3 });
  const { rows } = await sql<{ plays: number }>`
    select sum(plays)::int as plays from play_days where device_id = ${device.id}`.execute(db);
  expect(rows).toEqual([{ plays: 5 }]);
  expect(await gapsOf(device.id)).toEqual([]);
});

/** Every byte of a stream in pieces. */
async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const proofOf = ({ id }: Campaign, who: Session = dealer, period: Record<string, string> = {}) =>
  fetch(`${server.url}/api/campaigns/${id}/proof?${new URLSearchParams(period).toString()}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });

test('the verification file of a campaign is right, names gaps and what is not signed, and shows no other names', async () => {
  const { device, campaign, next } = await scene();
  const other = await campaignOn(device.id);
  const release = campaign.creatives[0]?.releaseId ?? '';
  const mixed = [...playsOf(release, 1), ...playsOf(other.creatives[0]?.releaseId ?? '', 1), ...playsOf(release, 1)];
  dataOf(await device.send(await next()));
  dataOf(await device.send(await device.sign(mixed)));
  await next();
  dataOf(await device.send(await device.sign(playsOf(randomUUID(), 1))));
  dataOf(await device.send(await next()));
  dataOf(await device.calls.player.plays({ body: { batch: randomUUID(), plays: playsOf(release, 3) } }));
  await device.renewKey();
  dataOf(await device.send(await next()));
  const reply = await proofOf(campaign);
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="Spring.proof.json"');
  const text = await reply.text();
  expect(await checkFile(inPieces(text))).toMatchObject({
    ...{ faults: [], counted: 11, proven: 8, batches: 4, missing: 1, devices: 1 },
    amount: { stated: '0.55', recomputed: '0.55', proven: '0.40' },
    campaign: { name: 'Spring', customer: dealer.user.username },
  });
  const { chains, keys } = JSON.parse(text);
  expect(keys).toHaveLength(2);
  expect(chains[0]).toMatchObject({ last: 5, without: [[4, 4]], missing: [[3, 3]], broken: [] });
  expect(text).not.toContain(other.id);
});

test('the amount in the file is that of the statement for the same period', async () => {
  const { device, campaign, next } = await scene();
  dataOf(await device.send(await next(3)));
  const params = { id: campaign.id };
  const periods: Record<string, string>[] = [{}, { to: addDays(TODAY, -2) }, { from: TODAY, to: addDays(TODAY, 1) }];
  for (const query of periods) {
    const statement = dataOf(await dealer.calls.campaigns.statement({ params, query }));
    const { faults, amount } = await checkFile(inPieces(await (await proofOf(campaign, dealer, query)).text()));
    expect([faults, amount?.stated, amount?.proven]).toEqual([[], statement.amount, statement.amount]);
    expect(amount).toMatchObject({ from: statement.from, to: statement.to });
  }
  const reversed = await proofOf(campaign, dealer, { from: TODAY, to: addDays(TODAY, -1) });
  expect(reversed.status).toBe(400);
});

test('a campaign without plays has a verification file, and strangers have none', async () => {
  const { campaign } = await scene();
  const text = await (await proofOf(campaign)).text();
  expect(await checkFile(inPieces(text))).toMatchObject({
    faults: [],
    counted: 0,
    proven: 0,
    batches: 0,
    amount: { stated: '0.00' },
  });
  expect((await proofOf(campaign, await server.createUser('leading'))).status).toBe(404);
});
