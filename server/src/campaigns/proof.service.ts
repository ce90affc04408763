import { createHash } from 'node:crypto';
import {
  batchLine,
  closingOf,
  openingOf,
  ProofCheck,
  type ProofHead,
  type ProofStatement,
  type ProofTail,
  proofFileName,
  readBatch,
  type StatementPeriod,
} from '@ams/contract';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import { atOneMoment, type Db } from '../platform/database/database.ts';
import { readCampaign } from './campaigns.queries.ts';
import { chargedIn, periodOf, playsByDay } from './statement.charges.ts';
import { findDelivered } from './statement.queries.ts';
import { findChains, findCounted, findGaps, pagesOf, readHead } from './proof.queries.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The verification file of a campaign in pieces: JSON with one batch a line. It holds the signed batches with plays of the
 * campaign, the keys of the devices, and the sums and the amount of the statement for a period.
 *
 * @param allow throws when the reader may no longer see the campaign; asked again for each page of batches
 */
export async function* writeProof(
  db: Db,
  campaignId: string,
  period: StatementPeriod,
  allow: () => Promise<unknown>,
): AsyncGenerator<string> {
  await allow();
  const chains = await findChains(db, campaignId);
  const head = await readHead(db, campaignId, chains);
  const check = new ProofCheck(head);
  yield openingOf(head);
  let separator = '\n';
  for (const [key, { id }] of chains.entries()) {
    for await (const page of pagesOf(db, id, campaignId)) {
      await allow();
      for (const { uncounted, hash, text } of page) {
        check.add({ key, uncounted, isSigned: true, hash, batch: readBatch(JSON.parse(text)) });
      }
      yield separator + page.map((batch) => batchLine(key, batch)).join(',\n');
      separator = ',\n';
    }
  }
  yield `\n${closingOf(await tailOf(db, head, period, chains, check))}`;
}

/** What follows the batches. The sums are read last and of one moment: what is proven was counted by then. */
async function tailOf(
  db: Db,
  head: ProofHead,
  period: StatementPeriod,
  chains: readonly { id: number }[],
  check: ProofCheck,
): Promise<ProofTail> {
  const gaps = await Promise.all(chains.map(({ id }) => findGaps(db, id)));
  const { counted, statement } = await atOneMoment(db, async (trx) => ({
    counted: await findCounted(trx, head.campaign.id),
    statement: await statementOf(trx, head, period),
  }));
  const tail = {
    writtenAt: new Date().toISOString(),
    chains: check.chains((key) => gaps[key] ?? []),
    devices: counted.map(({ id, name, ...sum }) => ({ id, name, counted: sum, proven: check.proven(id) })),
    statement,
  };
  return { ...tail, digest: sha256(check.digestedText(tail)) };
}

/** The amount of the statement, with the plays that it follows from; null while the campaign is not booked. */
async function statementOf(trx: Db, { campaign }: ProofHead, wanted: StatementPeriod): Promise<ProofStatement | null> {
  const { ordered } = campaign;
  if (ordered === null) return null;
  const delivered = await findDelivered(trx, campaign.id, wanted);
  const { period } = periodOf(wanted, campaign, delivered);
  return { ...period, days: playsByDay(delivered), ...chargedIn({ ...campaign, ordered }, delivered, period) };
}

/** The verification file of a campaign in scope, with its statement for a period, under its name. Throws `NOT_FOUND`. */
export async function openProof(
  db: Db,
  viewer: Viewer,
  campaignId: string,
  period: StatementPeriod,
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const allow = () => actingAs(db, viewer, {}, (trx, actor) => readCampaign(trx, actor, campaignId));
  const { name } = await allow();
  return { name: proofFileName(name, period), pieces: writeProof(db, campaignId, period, allow) };
}
