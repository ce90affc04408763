import { createHash } from 'node:crypto';
import { type Play, PlaysBody, signedText } from '@ams/contract';
import { expect, test } from 'vitest';
import { MemoryPlays } from '../../test/memory.ts';
import type { PlayBatch } from '../store/ports.ts';
import type { SendReply } from './ports.ts';
import { sendPlays } from './plays.ts';
import { makeKeyPair, signerOf } from './signing.ts';

const DEVICE = '01920000-0000-7000-8000-000000000001';
const play = (second: number): Play => ({
  releaseId: '01920000-0000-7000-8000-000000000002',
  sha256: 'a'.repeat(64),
  at: new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString(),
  durationMs: 1000,
  screen: 'main',
});

/** A device with plays to send, and a server that answers in turn. */
async function scene(...replies: SendReply[]) {
  const pair = await makeKeyPair();
  const signer = await signerOf(pair);
  const store = new MemoryPlays();
  const sent: PlayBatch[] = [];
  let registered = 0;
  const signing = {
    signer,
    device: async () => DEVICE,
    register: async () => (registered += 1),
  };
  const plays = async (batch: PlayBatch): Promise<SendReply> => {
    sent.push(structuredClone(batch));
    return replies.shift() ?? { kind: 'accepted' };
  };
  const send = () => sendPlays({ api: { plays }, plays: store, log: () => undefined, signing });
  return { pair, store, sent, send, registered: () => registered };
}

const hashOf = ({ seq = 0, previous = null, plays }: PlayBatch): string =>
  createHash('sha256')
    .update(signedText({ device: DEVICE, seq, previous, plays }))
    .digest('hex');

test('batches are signed in one chain, also when an answer is lost', async () => {
  const { pair, store, sent, send } = await scene({ kind: 'accepted' }, { kind: 'failed' });
  for (const second of [1, 2, 3]) {
    await store.append(play(second));
    await send();
  }
  expect(sent.map(({ seq }) => seq)).toEqual([1, 2, 2]);
  expect(sent[2]?.signature).toBe(sent[1]?.signature);
  await send();
  const [first, second, , third] = sent;
  expect([first?.previous, second?.previous, third?.previous]).toEqual([
    null,
    first && hashOf(first),
    second && hashOf(second),
  ]);
  for (const { seq = 0, previous = null, plays, signature } of sent) {
    const text = Buffer.from(signedText({ device: DEVICE, seq, previous, plays }));
    const bytes = Buffer.from(signature ?? '', 'base64');
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    expect(await crypto.subtle.verify(algorithm, pair.publicKey, bytes, text)).toBe(true);
  }
  expect(sent.every((batch) => PlaysBody.safeParse(batch).success)).toBe(true);
});

test('the private key cannot be read', async () => {
  const { privateKey } = await makeKeyPair();
  await expect(crypto.subtle.exportKey('jwk', privateKey)).rejects.toThrow('not extractable');
});

test('a batch whose signature the server refuses is sent again with the key registered, then unsigned: no play is lost', async () => {
  const refused = { kind: 'unverified' as const };
  const { store, sent, send, registered } = await scene(refused, refused);
  await store.append(play(1));
  expect(await send()).toBe('failed');
  expect(registered()).toBe(1);
  expect(await send()).toBe('sent');
  expect(sent.map(({ signature }) => typeof signature)).toEqual(['string', 'string', 'object']);
  expect(sent[2]?.plays).toEqual([play(1)]);
  await store.append(play(2));
  await send();
  expect(sent[3]).toMatchObject({ seq: 2 });
});

test('another device id, after the device was paired anew, begins a new chain', async () => {
  const signer = await signerOf(await makeKeyPair());
  const { end } = await signer.sign({ batch: 'a', plays: [play(1)] }, DEVICE, undefined);
  const { batch } = await signer.sign({ batch: 'b', plays: [play(2)] }, 'another', end);
  expect(batch).toMatchObject({ seq: 1, previous: null });
});
