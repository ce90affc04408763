import { createHash } from 'node:crypto';

/** Why an APK is refused. `unsupported`: signed in a way that only Android could judge. */
export type SignatureFault = 'unsigned' | 'broken' | 'unsupported';

/** An APK that Android would not install, or whose signer cannot be determined. */
export class SignatureError extends Error {
  override name = 'SignatureError';
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export const broken = (message: string): SignatureError => new SignatureError('broken', message);

/** Signer of an APK. */
export interface ApkSignature {
  /** SHA-256 of the signer's certificate, as shown by `apksigner` and Android's PackageManager. */
  signer: string;
  /** Signers whose installed apps this one may replace, because their owner passed the right on (v3). */
  predecessors: string[];
}

/** How many bytes a certificate has at most; longer ones are made to harm. */
export const CERTIFICATE_MAX_BYTES = 64 * 2 ** 10;

export const fingerprintOf = (certificate: Uint8Array): string =>
  createHash('sha256').update(certificate).digest('hex');

/** Reads a buffer from its beginning on. Everything throws `SignatureError` behind its end. Little-endian. */
export class Cursor {
  #left: Buffer;

  constructor(bytes: Buffer) {
    this.#left = bytes;
  }

  get isAtEnd(): boolean {
    return this.#left.length === 0;
  }

  take(bytes: number): Buffer {
    if (bytes > this.#left.length) throw broken('a field is longer than what holds it');
    const taken = this.#left.subarray(0, bytes);
    this.#left = this.#left.subarray(bytes);
    return taken;
  }

  rest(): Buffer {
    return this.take(this.#left.length);
  }

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  /** A number of 64 bits that must be a size. */
  size(): number {
    const value = this.take(8).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw broken('a size is absurd');
    return Number(value);
  }

  /** A field behind its length in 32 bits. */
  field(): Buffer {
    return this.take(this.uint32());
  }

  /** Fields behind their lengths, all together behind theirs. */
  fields(): Cursor[] {
    return new Cursor(this.field()).allFields();
  }

  /** The fields up to the end. */
  allFields(): Cursor[] {
    const fields: Cursor[] = [];
    while (!this.isAtEnd) fields.push(new Cursor(this.field()));
    return fields;
  }
}
