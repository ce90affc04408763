import { type ContentHash, contentHashOf, keyOfCertificate, parsePublicKey, requireSignature } from './algorithms.ts';
import { broken, Cursor, SignatureError } from './signature.ts';

/** The only signer of a v2 or v3 block, whose signatures and digests fit. */
export interface BlockSigner {
  /** The certificate, unchanged, as DER. */
  certificate: Buffer;
  attributes: Map<number, Buffer>;
}

interface SignedData {
  digests: { algorithm: number; digest: Buffer }[];
  certificates: Buffer[];
  attributes: Map<number, Buffer>;
  /** Android versions that the signer is for, as they were signed (v3). */
  versions: Buffer;
}

type DigestOf = (hash: ContentHash) => Buffer;

const VERSIONS_BYTES = 8;

/**
 * Verifies the value of a block as Android does: every signature over the signed data, the key against the first
 * certificate, every digest against the content. Throws `SignatureError`.
 * @param hasVersions v3: the signer is for a range of Android versions
 */
export function verifyBlock(value: Buffer, hasVersions: boolean, digestOf: DigestOf): BlockSigner {
  const [signer, ...others] = new Cursor(value).fields();
  if (!signer) throw broken('the signing block names no signer');
  if (others.length > 0) throw new SignatureError('unsupported', 'the APK has several signers');
  const signed = signer.field();
  const versions = signer.take(hasVersions ? VERSIONS_BYTES : 0);
  const signatures = signer.fields().map((each) => ({ algorithm: each.uint32(), signature: each.field() }));
  const key = parsePublicKey(signer.field());

  const data = readSigned(signed, hasVersions);
  const [certificate] = data.certificates;
  if (!certificate) throw broken('the signer has no certificate');
  if (!keyOfCertificate(certificate).equals(key)) throw broken('the certificate is not of the key that signed');
  if (!data.versions.equals(versions)) throw broken('the Android versions differ from those that were signed');
  requireSame(signatures, data.digests);
  const known = signatures.filter(({ algorithm }) => contentHashOf(algorithm) !== undefined);
  if (known.length === 0) throw new SignatureError('unsupported', 'no signature algorithm is known');
  for (const { algorithm, signature } of known) requireSignature(algorithm, key, signed, signature);
  for (const { algorithm, digest } of data.digests) {
    const hash = contentHashOf(algorithm);
    if (hash && !digestOf(hash).equals(digest)) throw broken('the content is not what was signed');
  }
  return { certificate, attributes: data.attributes };
}

function readSigned(bytes: Buffer, hasVersions: boolean): SignedData {
  const data = new Cursor(bytes);
  const digests = data.fields().map((each) => ({ algorithm: each.uint32(), digest: each.field() }));
  const certificates = data.fields().map((each) => each.rest());
  const versions = data.take(hasVersions ? VERSIONS_BYTES : 0);
  const attributes = new Map(data.fields().map((each) => [each.uint32(), each.rest()]));
  return { digests, certificates, attributes, versions };
}

/** A signature without its digest, or the other way round, is a downgrade. */
function requireSame(signatures: { algorithm: number }[], digests: { algorithm: number }[]): void {
  const listed = (each: { algorithm: number }[]): string => each.map(({ algorithm }) => algorithm).join();
  if (listed(signatures) !== listed(digests)) throw broken('signatures and digests do not belong together');
}
