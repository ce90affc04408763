import {
  batchLine,
  chargesOf,
  closingOf,
  openingOf,
  ProofCheck,
  type ProofHead,
  type ProofTail,
  readBatch,
  signedText,
  SigningKey,
  sumAmounts,
} from '@ams/contract';

const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const SHA256 = 'a1'.repeat(32);
const PLAY_MS = 10_000;
const ORDERED = 2_000_000;
const START = Date.UTC(2026, 9, 1);

const hexOf = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex');
const digestOf = async (text: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
const idOf = (kind: number, number: number): string =>
  `0192000${kind}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

interface Size {
  devices: number;
  batches: number;
  /** In each batch. */
  plays: number;
  /** Of the devices. */
  timeZone?: string;
}

async function makeKeys(devices: number) {
  const pairs = await Promise.all(
    Array.from({ length: devices }, () =>
      crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']),
    ),
  );
  const jwks = await Promise.all(pairs.map(({ publicKey }) => crypto.subtle.exportKey('jwk', publicKey)));
  return pairs.map((pair, index) => ({ pair, publicKey: SigningKey.parse(jwks[index]) }));
}

const headOf = (keys: readonly { publicKey: SigningKey }[], timeZone: string): ProofHead => ({
  format: 'ams-proof-1',
  campaign: {
    id: idOf(2, 0),
    name: 'Spring shoes — 春',
    customer: 'lumen',
    schedule: { from: '2026-10-01', to: '2026-10-31' },
    price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
    ordered: ORDERED,
    bookedOn: null,
    cancelledOn: null,
  },
  items: [{ releaseId: idOf(3, 0), sha256: SHA256, screen: 'main', part: 1, longestMs: 2 * PLAY_MS, ad: 'Shoes' }],
  keys: keys.map(({ publicKey }, index) => ({
    device: {
      id: idOf(1, index),
      mac: `02:00:00:00:00:${(16 + index).toString(16)}`,
      name: `Lobby ${index + 1}`,
      timeZone,
    },
    publicKey,
    registeredAt: '2026-09-30T00:00:00.000Z',
  })),
});

/**
 * A verification file with real signatures, a piece a line, as the server writes it: each device has its chain. For tests
 * and benchmarks.
 */
export async function* sampleProof({
  devices,
  batches,
  plays,
  timeZone = 'Asia/Kolkata',
}: Size): AsyncGenerator<string> {
  const keys = await makeKeys(devices);
  const head = headOf(keys, timeZone);
  const check = new ProofCheck(head);
  yield `${openingOf(head)}\n`;
  for (const [key, { pair }] of keys.entries()) {
    let previous: string | null = null;
    for (let seq = 1; seq <= batches; seq += 1) {
      const made = Array.from({ length: plays }, (_, nth) => ({
        ...{ releaseId: idOf(3, 0), sha256: SHA256, durationMs: PLAY_MS, screen: 'main' },
        at: new Date(START + ((seq - 1) * plays + nth) * PLAY_MS).toISOString(),
      }));
      const text = signedText({ device: idOf(1, key), seq, previous, plays: made });
      const signature = await crypto.subtle.sign(SIGNATURE, pair.privateKey, new TextEncoder().encode(text));
      previous = await digestOf(text);
      check.add({ key, uncounted: [], isSigned: true, hash: previous, batch: readBatch(JSON.parse(text)) });
      const isLast = key === keys.length - 1 && seq === batches;
      const written = { uncounted: [], signature: Buffer.from(signature).toString('base64url'), text };
      yield `${batchLine(key, written)}${isLast ? '' : ','}\n`;
    }
  }
  yield closingOf(await tailOf(head, check));
}

async function tailOf(head: ProofHead, check: ProofCheck): Promise<ProofTail> {
  const { schedule, price } = head.campaign;
  const days = check.provenDays();
  const lines = chargesOf({ ...head.campaign, ordered: ORDERED }, days, schedule);
  const amounts = lines.map(({ amount }) => amount);
  const tail = {
    writtenAt: '2026-11-01T00:00:00.000Z',
    chains: check.chains(() => []),
    devices: head.keys.map(({ device: { id, name } }) => ({
      ...{ id, name, counted: check.proven(id), proven: check.proven(id) },
    })),
    statement: { from: schedule.from, to: schedule.to, days, lines, amount: sumAmounts(amounts, price.currency) },
  };
  return { ...tail, digest: await digestOf(check.digestedText(tail)) };
}
