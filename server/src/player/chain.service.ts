import './player.tables.ts';
import { createHash, webcrypto } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { AppError, type PlaysBody, signedText, type SigningKey, toSignature } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Uncounted } from './player.tables.ts';

/** A batch whose signature is right. `text` is what was signed, to the byte. */
export interface SignedBatch {
  key: SigningKey;
  seq: number;
  previous: string | null;
  text: string;
  hash: Buffer;
  signature: Buffer;
}

const { subtle } = webcrypto;

/** Whether a signature (IEEE P1363) of a text is that of a key. */
async function isSignedBy(key: SigningKey, text: Buffer, signature: Buffer): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  return subtle.verify(algorithm, await subtle.importKey('jwk', key, algorithm, false, ['verify']), signature, text);
}

/**
 * The batch as it was signed by the key of the device; undefined when it has no signature. The device signs its id; its
 * MAC means the same. Throws `BAD_PLAY_SIGNATURE`.
 */
export async function readSigned(
  trx: Db,
  deviceId: string,
  { signature: given, seq, previous = null, plays }: Omit<PlaysBody, 'batch'>,
): Promise<SignedBatch | undefined> {
  if (!given || seq === undefined) return undefined;
  const { rows } = await sql<{ mac: string; key: SigningKey }>`
    select d.mac, k.public_key as key from devices d join device_keys k on k.device_id = d.id
    where d.id = ${deviceId}`.execute(trx);
  const [known] = rows;
  const signature = Buffer.from(toSignature(given), 'base64url');
  for (const device of known ? [deviceId, known.mac] : []) {
    const text = signedText({ device, seq, previous, plays });
    const bytes = Buffer.from(text);
    if (!known || !(await isSignedBy(known.key, bytes, signature))) continue;
    return { key: known.key, seq, previous, text, hash: createHash('sha256').update(bytes).digest(), signature };
  }
  throw new AppError('BAD_PLAY_SIGNATURE');
}

interface Chain {
  id: number;
  lastSeq: number;
  lastHash: string;
}

/** The chain of a device's key, begun with this batch if it is the first. Reports of a device come in turn. */
async function openChain(trx: Db, deviceId: string, { key, seq, hash, previous }: SignedBatch): Promise<Chain> {
  const { rows } = await sql<Chain & { begun: boolean }>`
    with begun as (
      insert into play_chains (device_id, mac, public_key, registered_at, first_seq, last_seq, last_hash)
      select d.id, d.mac, k.public_key, k.registered_at, ${seq}, ${seq}, ${hash}
      from devices d join device_keys k on k.device_id = d.id where d.id = ${deviceId}
      on conflict do nothing returning id)
    select id, ${seq}::bigint as "lastSeq", '' as "lastHash", true as begun from begun
    union all
    select id, last_seq, encode(last_hash, 'hex'), false from play_chains
    where device_id = ${deviceId} and public_key = ${JSON.stringify(key)}::jsonb`.execute(trx);
  const [chain] = rows;
  if (!chain) throw new AppError('NOT_FOUND');
  // Its batches before the first one here are missing.
  if (chain.begun && previous !== null) await noteGap(trx, chain.id, Math.min(1, seq), seq - 1);
  return chain;
}

/** Notes missing batches; with `last` before `first`, that the link to the batch `first` is broken. */
const noteGap = (trx: Db, chainId: number, first: number, last: number): Promise<unknown> =>
  trx
    .insertInto('play_chain_gaps')
    .values({ chain_id: chainId, first_seq: first, last_seq: last })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Whether a batch fills a gap, which is then smaller by it. */
async function fillGap(trx: Db, chainId: number, seq: number): Promise<boolean> {
  const { rows } = await sql<{ first: number; last: number }>`
    delete from play_chain_gaps where chain_id = ${chainId} and first_seq <= ${seq} and last_seq >= ${seq}
    returning first_seq as first, last_seq as last`.execute(trx);
  const [gap] = rows;
  if (!gap) return false;
  if (gap.first < seq) await noteGap(trx, chainId, gap.first, seq - 1);
  if (gap.last > seq) await noteGap(trx, chainId, seq + 1, gap.last);
  return true;
}

/** Whether this very batch is on record. */
async function isKept(trx: Db, chainId: number, { seq, hash }: SignedBatch): Promise<boolean> {
  const { rows } = await sql`
    select from signed_batches where chain_id = ${chainId} and seq = ${seq} and hash = ${hash}`.execute(trx);
  return rows.length > 0;
}

/**
 * Takes a batch into the chain of its key; undefined when it is there already. Batches that are missing before it, and a
 * link that is broken, are noted and refuse nothing: the plays count. `isForgotten`: all its plays are from before the
 * record.
 */
export async function takeIntoChain(
  trx: Db,
  deviceId: string,
  batch: SignedBatch,
  isForgotten: boolean,
): Promise<number | undefined> {
  const { seq, hash, previous } = batch;
  const { id, lastSeq, lastHash } = await openChain(trx, deviceId, batch);
  if (lastHash === '') return id;
  if (seq > lastSeq) {
    if (seq > lastSeq + 1) await noteGap(trx, id, lastSeq + 1, seq - 1);
    else if (previous !== lastHash) await noteGap(trx, id, seq, seq - 1);
    await trx.updateTable('play_chains').set({ last_seq: seq, last_hash: hash }).where('id', '=', id).execute();
    return id;
  }
  if ((seq === lastSeq && hash.toString('hex') === lastHash) || (await isKept(trx, id, batch))) return undefined;
  if (await fillGap(trx, id, seq)) return id;
  // Batches without plays of campaigns are not kept: this is one of them once more.
  if (isForgotten) return undefined;
  // Two batches of one number: the device lost its count, or somebody copied it.
  await noteGap(trx, id, seq, seq - 1);
  return id;
}

/** Keeps what was signed if it holds plays of campaigns. `uncounted`: its plays that count for nothing. */
export async function keepSigned(
  trx: Db,
  chainId: number,
  { seq, hash, signature, text }: SignedBatch,
  releaseIds: readonly string[],
  uncounted: readonly Uncounted[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct campaign_id as id from releases
    where id = any(${[...new Set(releaseIds)]}::uuid[]) and campaign_id is not null order by 1`.execute(trx);
  if (rows.length === 0) return;
  await trx
    .insertInto('signed_batches')
    .values({
      ...{ chain_id: chainId, seq, hash, signature, signed: deflateRawSync(text) },
      campaign_ids: rows.map(({ id }) => id),
      uncounted: JSON.stringify(uncounted),
    })
    .execute();
}
