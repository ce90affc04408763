import type { ProofHead, ProofStatement } from '../proof.ts';
import { canonicalJson } from './chain.ts';
import { chargesOf, type DayPlays, sumAmounts } from './charges.ts';

/** The amount of a statement, computed again from a verification file. All as decimal texts in the campaign's currency. */
export interface CheckedAmount {
  from: string;
  to: string;
  /** What the statement says. */
  stated: string;
  /** By the plays that the statement counts. */
  recomputed: string;
  /** By the plays that are signed, and no others. */
  proven: string;
}

/**
 * Computes the lines and the amount of a statement again. `isRight`: each line follows from the plays that the statement
 * counts, the price and the order.
 */
export function checkAmount(
  { campaign: { price, ordered, schedule, bookedOn, cancelledOn } }: Pick<ProofHead, 'campaign'>,
  { from, to, days, lines, amount }: ProofStatement,
  provenDays: readonly DayPlays[],
): { amount: CheckedAmount; isRight: boolean } {
  const terms = { price, ordered: ordered ?? 0, schedule, bookedOn, cancelledOn };
  const charge = (plays: readonly DayPlays[]) => {
    const charges = chargesOf(terms, plays, { from, to });
    const amounts = charges.map((line) => line.amount);
    return { charges, total: sumAmounts(amounts, price.currency) };
  };
  const counted = charge(days);
  return {
    amount: { from, to, stated: amount, recomputed: counted.total, proven: charge(provenDays).total },
    isRight: ordered !== null && counted.total === amount && canonicalJson(counted.charges) === canonicalJson(lines),
  };
}
