import { createHash } from 'node:crypto';
import type { ZipFile } from '../zip.ts';
import { broken, SignatureError } from './signature.ts';
import { verifyDetached } from './pkcs7.ts';

/** v1: a signed JAR file (docs.oracle.com/en/java/javase/21/docs/specs/jar/jar.html#signed-jar-file). */

const MANIFEST = 'META-INF/MANIFEST.MF';
const TEXT_MAX_BYTES = 32 * 2 ** 20;
const SIGNATURE_MAX_BYTES = 2 ** 20;
/** All contents together: an APK of 500 MB that is packed ten times over. */
const CONTENT_MAX_BYTES = 5 * 2 ** 30;
const ENTRY_MAX_BYTES = 2 ** 30;
/** Strongest first. Android still takes SHA-1 here. */
const DIGESTS = [
  ['sha-512-digest', 'sha512'],
  ['sha-384-digest', 'sha384'],
  ['sha-256-digest', 'sha256'],
  ['sha1-digest', 'sha1'],
  ['sha-1-digest', 'sha1'],
] as const;
/** Names of newer schemes by which the APK is signed as well, in an attribute of the signature file. */
const SIGNED_BY_NEWER = 'x-android-apk-signed';

type Attributes = Map<string, string>;

/** The certificate of the only v1 signer, DER. Throws `SignatureError` unless it signed every file. */
export function jarSignerOf(apk: ZipFile): Buffer {
  const { signatureFile, block } = signatureFilesOf(apk);
  const signed = apk.read(signatureFile, TEXT_MAX_BYTES);
  const certificate = verifyDetached(apk.read(block, SIGNATURE_MAX_BYTES), signed);
  const [head = new Map<string, string>()] = sectionsOf(signed);
  if (/\b[23]\b/.test(head.get(SIGNED_BY_NEWER) ?? '')) throw broken('the signature of a newer scheme was removed');
  const manifest = apk.read(MANIFEST, TEXT_MAX_BYTES);
  requireDigest(head, '-manifest', manifest);
  requireContents(apk, sectionsOf(manifest).slice(1));
  return certificate;
}

function signatureFilesOf(apk: ZipFile): { signatureFile: string; block: string } {
  const names = apk.names.filter((name) => /^META-INF\/[^/]+$/i.test(name));
  const files = names.filter((name) => /\.SF$/i.test(name));
  const [signatureFile, second] = files;
  const blocks = names.filter((name) => /\.(RSA|DSA|EC)$/i.test(name));
  const stem = signatureFile?.slice(0, -'SF'.length).toUpperCase();
  const block = blocks.find((name) => name.toUpperCase().replace(/(RSA|DSA|EC)$/, '') === stem);
  if (signatureFile === undefined || block === undefined) throw new SignatureError('unsigned', 'there is no signature');
  if (second !== undefined || blocks.length > 1) throw new SignatureError('unsupported', 'the APK has several signers');
  return { signatureFile, block };
}

/** The sections of a manifest: its head, then one per file. Lines of 72 bytes continue after a space. */
function sectionsOf(text: Buffer): Attributes[] {
  const lines = text.toString('utf8').replace(/\r\n?/g, '\n').replace(/\n /g, '');
  return lines
    .split(/\n{2,}/)
    .filter((section) => section.trim() !== '')
    .map((section) => new Map(section.split('\n').flatMap((line) => attributeIn(line))));
}

function attributeIn(line: string): [string, string][] {
  const colon = line.indexOf(': ');
  return colon < 0 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]];
}

/** Throws unless the strongest digest among the attributes is that of the bytes. */
function requireDigest(attributes: Attributes, suffix: string, bytes: Buffer): void {
  const found = DIGESTS.find(([name]) => attributes.has(name + suffix));
  if (!found) throw new SignatureError('unsupported', 'no digest is known');
  const [name, hash] = found;
  if (createHash(hash).update(bytes).digest('base64') !== attributes.get(name + suffix)) {
    throw broken('the content is not what was signed');
  }
}

/** Every file but those of the signature has its section, and the other way round. */
function requireContents(apk: ZipFile, sections: Attributes[]): void {
  const byName = new Map(sections.map((section) => [section.get('name') ?? '', section]));
  if (byName.size !== sections.length) throw broken('the manifest names a file twice');
  let left = CONTENT_MAX_BYTES;
  for (const name of apk.names) {
    const section = byName.get(name);
    byName.delete(name);
    if (name.endsWith('/') || (!section && /^META-INF\//i.test(name))) continue;
    if (!section) throw broken(`${name} is not signed`);
    const bytes = apk.read(name, Math.min(left, ENTRY_MAX_BYTES));
    left -= bytes.length;
    requireDigest(section, '', bytes);
  }
  const [missing] = byName.keys();
  if (missing !== undefined) throw broken(`${missing} was removed`);
}
