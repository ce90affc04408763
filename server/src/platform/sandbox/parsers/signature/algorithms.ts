import {
  constants,
  createPublicKey,
  type KeyObject,
  verify,
  type VerifyKeyObjectInput,
  X509Certificate,
} from 'node:crypto';
import { broken, CERTIFICATE_MAX_BYTES } from './signature.ts';

/** How contents are hashed, in pieces of 1 MiB. */
export type ContentHash = 'sha256' | 'sha512';

interface Algorithm {
  hash: ContentHash;
  key: 'rsa' | 'ec' | 'dsa';
  /** RSASSA-PSS: bytes of salt. */
  salt?: number;
}

/**
 * Signature algorithms of the APK Signing Block, by id (source.android.com/docs/security/features/apksigning/v2).
 * Those for fs-verity (0x0421…) come beside another one and are not needed.
 */
const ALGORITHMS: Partial<Record<number, Algorithm>> = {
  0x0101: { hash: 'sha256', key: 'rsa', salt: 32 },
  0x0102: { hash: 'sha512', key: 'rsa', salt: 64 },
  0x0103: { hash: 'sha256', key: 'rsa' },
  0x0104: { hash: 'sha512', key: 'rsa' },
  0x0201: { hash: 'sha256', key: 'ec' },
  0x0202: { hash: 'sha512', key: 'ec' },
  0x0301: { hash: 'sha256', key: 'dsa' },
};

export const contentHashOf = (algorithm: number): ContentHash | undefined => ALGORITHMS[algorithm]?.hash;

/** Throws `SignatureError` unless the key signed the data by this algorithm. */
export function requireSignature(algorithm: number, key: KeyObject, data: Buffer, signature: Buffer): void {
  const known = ALGORITHMS[algorithm];
  if (!known) throw broken(`unknown signature algorithm ${algorithm}`);
  const { hash, salt } = known;
  if (key.asymmetricKeyType !== known.key) throw broken('the key does not fit the signature algorithm');
  const padding = salt === undefined ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt };
  if (!isSigned(hash, data, { key, ...padding }, signature)) throw broken('a signature does not match');
}

/** The public key of a certificate. Throws `SignatureError` for bytes that are none. */
export function keyOfCertificate(der: Buffer): KeyObject {
  if (der.length > CERTIFICATE_MAX_BYTES) throw broken('a certificate is too long');
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    throw broken('a certificate cannot be read');
  }
}

/** Whether the key signed the data; what the library cannot work with, nobody signed. */
export function isSigned(
  hash: string,
  data: Buffer,
  key: KeyObject | VerifyKeyObjectInput,
  signature: Uint8Array,
): boolean {
  try {
    return verify(hash, data, key, signature);
  } catch {
    return false;
  }
}

/** Throws `SignatureError` for bytes that are no public key. */
export function parsePublicKey(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    throw broken('a public key cannot be read');
  }
}
