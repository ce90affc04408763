import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { fingerprintOf } from '../src/platform/sandbox/parsers/signature/signature.ts';
import { contentDigest } from '../src/platform/sandbox/parsers/signature/signing-block.ts';
import { ZipFile, zipInMemory } from '../src/platform/sandbox/parsers/zip.ts';

/** Keys with their certificates, made for these tests (P-256, DER in Base64). Their signatures protect nothing. */
const KEYS = {
  first: {
    key:
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglqGw3xUBL6Na9YhbY4xfVdyRN3S0gSXLEtDay0Qn1bmhRANCAASr' +
      '3b/XQvfOodoPEGl6SltUqmDK11YqQic8zepzdJ3J2ZHfR53Wsn1rdMM7TG5dNxydmVa8HZuu162U+aq0sMjv',
    certificate:
      'MIIBgjCCASegAwIBAgIUKtD/j4jThRIVDGpX8uqifIMum2AwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKVGVzdCBrZXkgMTAgFw0y' +
      'NjExMjIwMzUyMzdaGA8yMTI2MTAyOTAzNTIzN1owFTETMBEGA1UEAwwKVGVzdCBrZXkgMTBZMBMGByqGSM49AgEGCCqGSM49AwEH' +
      'A0IABKvdv9dC986h2g8QaXpKW1SqYMrXVipCJzzN6nN0ncnZkd9HndayfWt0wztMbl03HJ2ZVrwdm67XrZT5qrSwyO+jUzBRMB0G' +
      'A1UdDgQWBBSQA8BBgPfwFmecHc8UW/wEYLOOwTAfBgNVHSMEGDAWgBSQA8BBgPfwFmecHc8UW/wEYLOOwTAPBgNVHRMBAf8EBTAD' +
      'AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDjoSFT5oQEsn233A9cubOLvEGPOdtl7PqSPHAi+8169AIhAMApBLKqzpmy9L36f8scjzq8' +
      'gk+9zOqdwruTiTiobm7V',
  },
  second: {
    key:
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgejfG45Oef7JogWi/AYKT4DPYyyQ8R31urmikLUjVkiGhRANCAAS5' +
      '1c8a8Zntk7N5h7Yu/cAw/5Ka8YvQIUHF/6riY9MQazGNd3c9WVE5fkh7N8T7ggui9MgAMoBJhpBj26kPaR3G',
    certificate:
      'MIIBgTCCASegAwIBAgIUMNd4ecmCtY1t0lBLP7I9p3h9wQkwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKVGVzdCBrZXkgMjAgFw0y' +
      'NjExMjIwMzUyMzdaGA8yMTI2MTAyOTAzNTIzN1owFTETMBEGA1UEAwwKVGVzdCBrZXkgMjBZMBMGByqGSM49AgEGCCqGSM49AwEH' +
      'A0IABLnVzxrxme2Ts3mHti79wDD/kprxi9AhQcX/quJj0xBrMY13dz1ZUTl+SHs3xPuCC6L0yAAygEmGkGPbqQ9pHcajUzBRMB0G' +
      'A1UdDgQWBBT8aHeogUqrecPkuCFSXBKDw6zkozAfBgNVHSMEGDAWgBT8aHeogUqrecPkuCFSXBKDw6zkozAPBgNVHRMBAf8EBTAD' +
      'AQH/MAoGCCqGSM49BAMCA0gAMEUCIGIOLVhNuSU8nMuGziCywhheJ5Q2FpXjFxkOoWPJwLHaAiEAuKQTqoh0hMc45kNciaE8NG16' +
      'R9d/A6Ir0lYgX6Qzrc8=',
  },
};
export type TestKey = keyof typeof KEYS;

const certificateOf = (key: TestKey): Buffer => Buffer.from(KEYS[key].certificate, 'base64');

/** Expected result for an APK signed with this key. */
export const signerOf = (key: TestKey): string => fingerprintOf(certificateOf(key));

const V2 = 0x7109871a;
const ECDSA_WITH_SHA256 = 0x0201;

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (value: number): Buffer => Buffer.concat([uint32(value), uint32(0)]);
/** Parts behind their length. */
const field = (...parts: Buffer[]): Buffer => {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

/** Signs a ZIP file by the APK Signature Scheme v2. `apksigner verify` accepts the result. */
export function signApk(zip: Buffer, name: TestKey = 'first'): Buffer {
  const source = zipInMemory(zip);
  const { layout } = new ZipFile(source);
  const { directoryStart, endStart } = layout;
  const key = createPrivateKey({ key: Buffer.from(KEYS[name].key, 'base64'), format: 'der', type: 'pkcs8' });
  const digest = contentDigest(source, layout, directoryStart, 'sha256');
  const digests = field(field(uint32(ECDSA_WITH_SHA256), field(digest)));
  const signed = Buffer.concat([digests, field(field(certificateOf(name))), field()]);
  const signature = field(field(uint32(ECDSA_WITH_SHA256), field(sign('sha256', signed, key))));
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const value = field(field(field(signed), signature, field(publicKey)));
  const pair = Buffer.concat([uint64(value.length + 4), uint32(V2), value]);
  const size = uint64(pair.length + 8 + 16);
  const block = Buffer.concat([size, pair, size, Buffer.from('APK Sig Block 42')]);
  const end = Buffer.from(zip.subarray(endStart));
  end.writeUInt32LE(directoryStart + block.length, 16);
  return Buffer.concat([zip.subarray(0, directoryStart), block, zip.subarray(directoryStart, endStart), end]);
}
