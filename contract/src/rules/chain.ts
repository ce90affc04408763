import { z } from 'zod';

/** The public key of a device's plays as it registers it (RFC 7517): ECDSA on P-256. */
export const SigningKey = z.object({
  crv: z.literal('P-256'),
  kty: z.literal('EC'),
  x: z.string().regex(/^[\w-]{43}$/),
  y: z.string().regex(/^[\w-]{43}$/),
});
export type SigningKey = z.output<typeof SigningKey>;

/** 64 bytes (IEEE P1363) in base64 or base64url; `toSignature` writes them in the one form that is kept. */
export const GivenSignature = z.string().regex(/^[\w+/-]{85}[AQgw](==)?$/);

/** The same in base64url without padding, whose last digit has no idle bits. */
export const Signature = z.string().regex(/^[\w-]{85}[AQgw]$/);

export const toSignature = (given: string): string =>
  given.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** SHA-256 in hexadecimal digits. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a device signs: a batch of its plays and its place in the chain of its key. */
export interface ChainedBatch<P extends object = object> {
  /** The device's id; its MAC means the same. */
  device: string;
  /** 1 for the first batch of a key, then one more each. */
  seq: number;
  /** SHA-256 of the batch before; null for the first. */
  previous: string | null;
  plays: readonly P[];
}

/**
 * The JSON Canonicalization Scheme (RFC 8785): one text for one value, whatever the order of its members. The value is
 * plain JSON; members that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units, as the scheme demands and this comparison does.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** The text of a batch: its UTF-8 bytes are signed and hashed. */
export const signedText = ({ device, seq, previous, plays }: ChainedBatch): string =>
  canonicalJson({ device, seq, previous, plays });
