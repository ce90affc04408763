import { createHash, randomUUID, webcrypto } from 'node:crypto';
import { type Play, type PlaysTaken, type Envelope, signedText, SigningKey } from '@ams/contract';
import { makeDevice, type TestDevice } from './device.ts';
import { dataOf, type Session, type TestServer } from './server.ts';

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A batch as a device sends it. */
export interface SentBatch {
  batch: string;
  plays: Play[];
  seq: number;
  previous: string | null;
  signature: string;
}

export interface SigningDevice extends TestDevice {
  id: string;
  publicKey: SigningKey;
  /** Signs the next batch of its chain. */
  sign(plays: Play[]): Promise<SentBatch>;
  send(body: SentBatch): Promise<Envelope<PlaysTaken>>;
  /** Registers another key, with which a new chain begins. */
  renewKey(): Promise<void>;
  /** Forgets its count, as a copy of its disk would. */
  rewind(): void;
}

export async function makeKey() {
  const pair = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  return { pair, publicKey: SigningKey.parse(await webcrypto.subtle.exportKey('jwk', pair.publicKey)) };
}

/** A device that signs its plays, paired by this user. */
export async function signingDevice(server: Pick<TestServer, 'url' | 'as'>, operator: Session): Promise<SigningDevice> {
  const device = makeDevice(server);
  let key = await makeKey();
  let last: { seq: number; hash: string | null } = { seq: 0, hash: null };
  const enrol = async () =>
    dataOf(await device.calls.player.enrol({ body: { mac: device.mac, publicKey: key.publicKey } }));
  const state = await enrol();
  const code = state.state === 'pairing' ? state.code : '';
  const { id } = dataOf(await operator.calls.devices.pair({ body: { mac: device.mac, code } }));
  return {
    ...device,
    id,
    publicKey: key.publicKey,
    async sign(plays) {
      const unsigned = { device: id, seq: last.seq + 1, previous: last.hash, plays };
      const text = Buffer.from(signedText(unsigned));
      const signature = Buffer.from(await webcrypto.subtle.sign(EC, key.pair.privateKey, text)).toString('base64url');
      last = { seq: unsigned.seq, hash: createHash('sha256').update(text).digest('hex') };
      const { device: _id, ...batch } = unsigned;
      return { batch: randomUUID(), ...batch, signature };
    },
    send: (body) => device.calls.player.plays({ body }),
    async renewKey() {
      key = await makeKey();
      last = { seq: 0, hash: null };
      await enrol();
    },
    rewind: () => (last = { seq: 0, hash: null }),
  };
}
