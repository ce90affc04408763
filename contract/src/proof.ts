import { z } from 'zod';
import { CampaignPrice, FlightSchedule } from './campaigns.ts';
import { PlayRefusal } from './player.ts';
import { Sha256, Signature, SigningKey } from './rules/chain.ts';
import { StatementLine } from './statements.ts';
import { Screen } from './vocabulary.ts';

export const PROOF_FORMAT = 'ams-proof-1';

/** Numbers of batches, the last one included. */
const Range = z.tuple([z.number().int(), z.number().int()]);

/** Plays of a file of a creative add `part` to the plays of the campaign; of their time at most `longestMs` counts. */
export const ProofItem = z.strictObject({
  releaseId: z.uuid(),
  sha256: Sha256,
  screen: Screen,
  part: z.number(),
  longestMs: z.number().nullable(),
  ad: z.string(),
});

/**
 * A device and one of its keys, by which `batches` name it: its place in this list. Files of earlier versions name time
 * zones by offsets and short names, too.
 */
export const ProofKey = z.strictObject({
  device: z.strictObject({ id: z.uuid(), mac: z.string(), name: z.string(), timeZone: z.string() }),
  publicKey: SigningKey,
  registeredAt: z.iso.datetime(),
});

export const ProofHead = z.strictObject({
  format: z.literal(PROOF_FORMAT),
  campaign: z.strictObject({
    id: z.uuid(),
    name: z.string(),
    customer: z.string(),
    schedule: FlightSchedule,
    price: CampaignPrice,
    /** Plays that are charged at most; null: it was never booked. */
    ordered: z.number().int().nullable(),
    /** Days by the clock of most of its devices. */
    bookedOn: z.iso.date().nullable(),
    cancelledOn: z.iso.date().nullable(),
  }),
  items: z.array(ProofItem),
  keys: z.array(ProofKey),
});
export type ProofHead = z.output<typeof ProofHead>;

/** A play of a batch that counts for nothing, by its index: refused, or on record before. */
export const ProofUncounted = z.tuple([z.number().int().min(0), z.enum([...PlayRefusal.options, 'repeated'])]);
export type ProofUncounted = z.output<typeof ProofUncounted>;

/** A batch as the device signed it. Its members come in this order, so that the signed bytes are the end of the line. */
export const ProofBatch = z.strictObject({
  key: z.number().int().min(0),
  uncounted: z.array(ProofUncounted),
  signature: Signature,
  signed: z.unknown(),
});

const Sum = z.strictObject({ plays: z.number(), durationMs: z.number() });

/**
 * Where the batches of a key stand in its chain. Numbers between the first and the last that are not in the file are
 * `without` plays of the campaign, or `missing`: they never came. Links to the `broken` ones do not fit.
 */
export const ProofChain = z.strictObject({
  key: z.number().int(),
  batches: z.number().int(),
  last: z.number().int(),
  lastHash: Sha256,
  without: z.array(Range),
  missing: z.array(Range),
  broken: z.array(z.number().int()),
});
export type ProofChain = z.output<typeof ProofChain>;

/** What the statement counts for a device, and what of it the signed batches prove; `plays` may have parts of plays. */
export const ProofDevice = z.strictObject({ id: z.uuid(), name: z.string(), counted: Sum, proven: Sum });
export type ProofDevice = z.output<typeof ProofDevice>;

/** The amount of the statement for a period, and the plays by day that it follows from: those of the whole campaign. */
export const ProofStatement = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  days: z.array(z.strictObject({ day: z.iso.date(), plays: z.number().int().min(0) })),
  lines: z.array(StatementLine),
  amount: z.string(),
});
export type ProofStatement = z.output<typeof ProofStatement>;

export const ProofTail = z.strictObject({
  writtenAt: z.iso.datetime(),
  chains: z.array(ProofChain),
  devices: z.array(ProofDevice),
  /** Null: the campaign was never booked. */
  statement: ProofStatement.nullable(),
  /** SHA-256 of the canonical JSON of all but the batches, with what does not count of them. */
  digest: Sha256,
});
export type ProofTail = z.output<typeof ProofTail>;
