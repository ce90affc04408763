import { createHash } from 'node:crypto';
import { type AsnType, Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { isSigned, keyOfCertificate } from './algorithms.ts';
import { broken, SignatureError } from './signature.ts';

/** Detached signatures in the Cryptographic Message Syntax (RFC 5652), as far as JAR files have them. */

const OID = { signedData: '1.2.840.113549.1.7.2', messageDigest: '1.2.840.113549.1.9.4' };
const HASHES = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);
const KEY_TYPES = new Set(['rsa', 'ec', 'dsa']);
const CONTEXT = 3;

/**
 * Verifies the only signature in `cms` over `content`; returns the signer's certificate as DER.
 * Throws `SignatureError`.
 */
export function verifyDetached(cms: Buffer, content: Buffer): Buffer {
  const parsed = fromBER(cms);
  if (parsed.offset < 0) throw broken('the signature cannot be read');
  const [type, wrapped] = childrenOf(parsed.result);
  if (oidOf(type) !== OID.signedData) throw broken('the signature is of another kind');
  const [signedData] = childrenOf(wrapped);
  const fields = childrenOf(signedData);
  const certificates = childrenOf(fields.find((field) => isTagged(field, 0))).map(bytesOf);
  // The last one: those before it may be left out.
  const [signer, ...others] = childrenOf(fields.at(-1));
  if (!signer || others.length > 0) throw new SignatureError('unsupported', 'the APK has several signers');
  return verifySigner(childrenOf(signer), certificates, content);
}

/** SignerInfo: version, issuer and serial number, digest algorithm, [0] attributes, signature algorithm, signature. */
function verifySigner(fields: AsnType[], certificates: Buffer[], content: Buffer): Buffer {
  const [, identity, digestAlgorithm, ...rest] = fields;
  const attributes = rest.find((field) => isTagged(field, 0));
  const signature = rest.find((field) => field instanceof OctetString);
  const hash = HASHES.get(oidOf(childrenOf(digestAlgorithm)[0]) ?? '');
  if (!signature || !hash) throw new SignatureError('unsupported', 'the digest algorithm is not known');
  const certificate = certificateOf(identity, certificates);
  const key = keyOfCertificate(certificate);
  if (!KEY_TYPES.has(key.asymmetricKeyType ?? '')) throw new SignatureError('unsupported', 'the key is not known');
  const signed = attributes ? signedAttributes(attributes, hash, content) : content;
  if (!isSigned(hash, signed, key, new Uint8Array(signature.getValue()))) throw broken('the signature does not match');
  return certificate;
}

/** The certificate that issuer and serial number name. */
function certificateOf(identity: AsnType | undefined, certificates: Buffer[]): Buffer {
  if (!(identity instanceof Sequence)) throw new SignatureError('unsupported', 'the signer is named in another way');
  const [issuer, serial] = childrenOf(identity);
  const found = certificates.find((der) => {
    const [, ownSerial, , ownIssuer] = tbsFieldsOf(der);
    return bytesOf(ownSerial).equals(bytesOf(serial)) && bytesOf(ownIssuer).equals(bytesOf(issuer));
  });
  if (!found) throw broken('the certificate of the signer is missing');
  return found;
}

/** Fields of a TBSCertificate (RFC 5280) from its version on, which the first version leaves out. */
function tbsFieldsOf(der: Buffer): (AsnType | undefined)[] {
  const fields = childrenOf(childrenOf(fromBER(der).result)[0]);
  return isTagged(fields[0], 0) ? fields : [undefined, ...fields];
}

/** Signed attributes, including the content's digest (RFC 5652, 5.4). */
function signedAttributes(attributes: AsnType, hash: string, content: Buffer): Buffer {
  const digests = childrenOf(attributes)
    .map((attribute) => childrenOf(attribute))
    .filter(([type]) => oidOf(type) === OID.messageDigest)
    .map(([, values]) => childrenOf(values)[0]);
  const [digest] = digests;
  const isRight =
    digests.length === 1 &&
    digest instanceof OctetString &&
    createHash(hash).update(content).digest().equals(Buffer.from(digest.getValue()));
  if (!isRight) throw broken('the content is not what was signed');
  const encoded = Buffer.from(bytesOf(attributes));
  // Signed with the tag of a SET OF, not with that of its place.
  encoded[0] = 0x31;
  return encoded;
}

const isTagged = (node: AsnType | undefined, tag: number): boolean =>
  node?.idBlock.tagClass === CONTEXT && node.idBlock.tagNumber === tag;

const oidOf = (node: AsnType | undefined): string | undefined =>
  node instanceof ObjectIdentifier ? node.getValue() : undefined;

/** A node as it was read: certificates are hashed as they are. */
const bytesOf = (node: AsnType | undefined): Buffer => Buffer.from(node?.valueBeforeDecodeView ?? []);

/** The nodes within a node; none in one that holds a value. */
const childrenOf = (node: AsnType | undefined): AsnType[] => (node instanceof Constructed ? node.valueBlock.value : []);
