import './campaigns.tables.ts';
import { inflateRawSync } from 'node:zlib';
import {
  AppError,
  PLAY_OVERTIME_MS,
  PROOF_DIGITS,
  PROOF_FORMAT,
  type ProofHead,
  type ProofUncounted,
} from '@ams/contract';
import { sql } from 'kysely';
import { type Db, iso } from '../platform/database/database.ts';
import { zoneIn } from './carriers.sql.ts';
import { bookedOn, cancelledOn, priceOf } from './columns.sql.ts';

/** A chain of a device that holds plays of a campaign. */
export interface ProvenChain {
  id: number;
  key: ProofHead['keys'][number];
}

/** A batch as it is kept; `text` is what was signed. */
export interface KeptBatch {
  seq: number;
  hash: string;
  signature: string;
  text: string;
  uncounted: ProofUncounted[];
}

/** Batches that are read at a time. */
const PAGE = 200;

/** The chains of signed batches that hold plays of a campaign, in order. */
export async function findChains(db: Db, campaignId: string): Promise<ProvenChain[]> {
  const { rows } = await sql<ProvenChain>`
    select c.id, jsonb_build_object(
        'device', jsonb_build_object('id', c.device_id, 'mac', c.mac, 'name', coalesce(d.name, ''),
          'timeZone', ${zoneIn(sql`${campaignId}::uuid`, sql`c.device_id`)}),
        'publicKey', c.public_key, 'registeredAt', ${iso(sql`c.registered_at`)}) as key
    from play_chains c left join devices d on d.id = c.device_id
    where c.device_id in (select device_id from campaign_hours where campaign_id = ${campaignId})
      and exists (select from signed_batches b where b.chain_id = c.id and ${campaignId} = any(b.campaign_ids))
    order by c.id`.execute(db);
  return rows;
}

/** What a verification file says of its campaign before the batches. Throws `NOT_FOUND`. */
export async function readHead(db: Db, campaignId: string, chains: readonly ProvenChain[]): Promise<ProofHead> {
  const { rows } = await sql<Pick<ProofHead, 'campaign' | 'items'>>`
    select jsonb_build_object('id', c.id, 'name', c.name, 'customer', u.username, 'schedule', c.schedule, 'price', ${priceOf},
        'ordered', c.ordered, 'bookedOn', ${bookedOn}, 'cancelledOn', ${cancelledOn}) as campaign,
      coalesce((select jsonb_agg(jsonb_build_object('releaseId', r.id, 'sha256', i.sha256, 'screen', i.screen,
          'part', i.spot_part, 'longestMs', i.length_ms + ${sql.lit(PLAY_OVERTIME_MS)}, 'ad', r.ad_name) order by i.id)
        from releases r join play_items i on i.release_id = r.id and i.spot_part is not null
        where r.campaign_id = c.id), '[]') as items
    from campaigns c join users u on u.id = c.customer_id where c.id = ${campaignId}`.execute(db);
  const [row] = rows;
  if (!row) throw new AppError('NOT_FOUND');
  return { format: PROOF_FORMAT, ...row, keys: chains.map(({ key }) => key) };
}

/** The batches of a chain with plays of a campaign, in order, a page at a time. */
export async function* pagesOf(db: Db, chainId: number, campaignId: string): AsyncGenerator<KeptBatch[]> {
  let after = { seq: -1, hash: '' };
  for (;;) {
    const { rows } = await sql<Omit<KeptBatch, 'text' | 'signature'> & { signature: Buffer; signed: Buffer }>`
      select seq, encode(hash, 'hex') as hash, signature, signed, uncounted from signed_batches
      where chain_id = ${chainId} and (seq, hash) > (${after.seq}::bigint, decode(${after.hash}, 'hex'))
        and ${campaignId} = any(campaign_ids)
      order by seq, hash limit ${sql.lit(PAGE)}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ signed, signature, ...row }) => ({
      ...row,
      signature: signature.toString('base64url'),
      text: inflateRawSync(signed).toString(),
    }));
    after = last;
  }
}

/** Batches of a chain that never came, and broken links, as ranges. */
export async function findGaps(db: Db, chainId: number): Promise<[number, number][]> {
  const { rows } = await sql<{ first: number; last: number }>`
    select first_seq as first, last_seq as last from play_chain_gaps where chain_id = ${chainId} order by 1, 2`.execute(
    db,
  );
  return rows.map(({ first, last }) => [first, last]);
}

/** What the statement counts, by device in parts of plays, with the device's name, or its MAC while it has none. */
export async function findCounted(
  db: Db,
  campaignId: string,
): Promise<{ id: string; name: string; plays: number; durationMs: number }[]> {
  const { rows } = await sql<{ id: string; name: string; plays: number; durationMs: number }>`
    select h.device_id as id, coalesce(nullif(d.name, ''), d.mac, '') as name, round(sum(h.spots)::numeric, ${sql.lit(PROOF_DIGITS)})::float8 as plays,
      sum(h.duration_ms)::float8 as "durationMs"
    from campaign_hours h left join devices d on d.id = h.device_id
    where h.campaign_id = ${campaignId} group by 1, 2 order by 1`.execute(db);
  return rows;
}
