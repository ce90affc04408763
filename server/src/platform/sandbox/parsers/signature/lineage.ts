import { keyOfCertificate, requireSignature } from './algorithms.ts';
import { broken, Cursor, fingerprintOf } from './signature.ts';

/** The attribute of a v3 signer that proves how its key was rotated. */
const PROOF_OF_ROTATION = 0x3ba06f8c;
/** A predecessor whose installed apps may be replaced without losing their data. */
const INSTALLED_DATA = 1;

/** One certificate in the history of a signer's keys, oldest first; the last is the signer's own. */
interface Node {
  certificate: Buffer;
  flags: number;
}

/**
 * The earlier signers whose apps the owner of `certificate` may replace. Each certificate of the history is signed by
 * the one before (source.android.com/docs/security/features/apksigning/v3). Throws `SignatureError`.
 */
export function predecessorsOf(certificate: Buffer, attributes: Map<number, Buffer>): string[] {
  const proof = attributes.get(PROOF_OF_ROTATION);
  if (!proof) return [];
  const history = readHistory(new Cursor(proof));
  const own = history.pop();
  if (!own?.certificate.equals(certificate)) throw broken('the history of keys does not end with the signer');
  return history.filter(({ flags }) => flags & INSTALLED_DATA).map((node) => fingerprintOf(node.certificate));
}

function readHistory(proof: Cursor): Node[] {
  // The version of the structure: Android reads on whatever it is.
  proof.uint32();
  const history: Node[] = [];
  let before: { certificate: Buffer; algorithm: number } | undefined;
  for (const level of proof.allFields()) {
    const signed = level.field();
    const [flags, algorithm] = [level.uint32(), level.uint32()];
    const signature = level.field();
    const data = new Cursor(signed);
    const certificate = data.field();
    const signedBy = data.uint32();
    if (before) {
      if (before.algorithm !== signedBy) throw broken('the history of keys names another algorithm');
      requireSignature(before.algorithm, keyOfCertificate(before.certificate), signed, signature);
    }
    if (history.some((node) => node.certificate.equals(certificate)))
      throw broken('the history of keys repeats itself');
    history.push({ certificate, flags });
    before = { certificate, algorithm };
  }
  return history;
}
