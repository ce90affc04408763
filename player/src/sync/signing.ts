import { signedText, type SigningKey } from '@ams/contract';
import type { ChainEnd, PlayBatch } from '../store/ports.ts';

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Makes a key pair whose private key nobody can read, not even this page. Needs a secure context. */
export const makeKeyPair = () => crypto.subtle.generateKey(KEY, false, ['sign', 'verify']);
export type KeyPair = Awaited<ReturnType<typeof makeKeyPair>>;

/** Signs batches of plays in a chain. */
export interface PlaySigner {
  publicKey: SigningKey;
  /** The batch with its place after `end` and its signature, and the end that the chain has then. */
  sign(batch: PlayBatch, device: string, end: ChainEnd | undefined): Promise<{ batch: PlayBatch; end: ChainEnd }>;
}

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const base64Of = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

export async function signerOf({ publicKey, privateKey }: KeyPair): Promise<PlaySigner> {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return {
    publicKey: { crv: 'P-256', kty: 'EC', x, y },
    async sign({ batch, plays }, device, end) {
      // A device that was paired anew is another one: its chain begins again.
      const before = end?.device === device ? end : undefined;
      const seq = (before?.seq ?? 0) + 1;
      const previous = before?.hash ?? null;
      const text = new TextEncoder().encode(signedText({ device, seq, previous, plays }));
      const signature = base64Of(await crypto.subtle.sign(SIGNATURE, privateKey, text));
      const hash = hexOf(await crypto.subtle.digest('SHA-256', text));
      return { batch: { batch, plays, seq, previous, signature }, end: { device, seq, hash } };
    },
  };
}
