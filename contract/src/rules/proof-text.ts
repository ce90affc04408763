import type { ProofHead, ProofTail, ProofUncounted } from '../proof.ts';

/** How a verification file begins, up to its batches. It is JSON: its first line, a line for each batch, its last line. */
export const BATCHES_BEGIN = ',"batches":[';
/** What precedes the signed bytes on the line of a batch. */
export const SIGNED_BEGINS = ',"signed":';

export const openingOf = (head: ProofHead): string => `${JSON.stringify(head).slice(0, -1)}${BATCHES_BEGIN}`;

/** A batch on its line. What was signed comes last, as it was signed. */
export const batchLine = (
  key: number,
  { uncounted, signature, text }: { uncounted: readonly ProofUncounted[]; signature: string; text: string },
): string =>
  `{"key":${key},"uncounted":${JSON.stringify(uncounted)},"signature":"${signature}"${SIGNED_BEGINS}${text}}`;

export const closingOf = (tail: ProofTail): string => `],${JSON.stringify(tail).slice(1)}\n`;
