import { expect, test } from 'vitest';
import type { ProofHead, ProofStatement, ProofTail } from '../proof.ts';
import { type CheckedBatch, ProofCheck } from './proof-check.ts';
import type { SignedPlay } from './proof-tally.ts';

const DEVICE = '01920000-0000-7000-8000-000000000001';
const RELEASE = '01920000-0000-7000-8000-000000000002';
const SHA = 'a'.repeat(64);

const HEAD: ProofHead = {
  format: 'ams-proof-1',
  campaign: {
    id: RELEASE,
    name: 'Spring',
    customer: 'lumen',
    schedule: { from: '2026-11-01', to: '2026-11-30' },
    price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
    ordered: 100,
    bookedOn: null,
    cancelledOn: null,
  },
  items: [{ releaseId: RELEASE, sha256: SHA, screen: 'main', part: 0.5, longestMs: 12_000, ad: 'Shoes' }],
  keys: [
    {
      device: { id: DEVICE, mac: '02:00:00:00:00:01', name: 'Lobby', timeZone: 'UTC' },
      publicKey: { crv: 'P-256', kty: 'EC', x: 'A'.repeat(43), y: 'A'.repeat(43) },
      registeredAt: '2026-11-01T00:00:00.000Z',
    },
  ],
};

const play = (minute: number, over: Partial<SignedPlay> = {}): SignedPlay => ({
  ...{ releaseId: RELEASE, sha256: SHA, durationMs: 10_000 },
  at: new Date(Date.UTC(2026, 10, 2, 0, minute)).toISOString(),
  ...over,
});

/** A batch with two plays of half a spot each; its hash is its number. */
const batch = (seq: number, over: Partial<CheckedBatch> = {}, plays = [play(2 * seq), play(2 * seq + 1)]) => ({
  ...{ key: 0, uncounted: [], isSigned: true, hash: `${seq}` },
  batch: { device: DEVICE, seq, previous: seq === 1 ? null : `${seq - 1}`, plays },
  ...over,
});

const TAIL: ProofTail = {
  writtenAt: '2026-12-01T00:00:00.000Z',
  chains: [{ key: 0, batches: 4, last: 8, lastHash: '8', without: [[3, 5]], missing: [[7, 7]], broken: [] }],
  devices: [
    {
      id: DEVICE,
      name: 'Lobby',
      counted: { plays: 5, durationMs: 99_000 },
      proven: { plays: 4, durationMs: 80_000 },
    },
  ],
  statement: {
    from: '2026-11-01',
    to: '2026-11-30',
    days: [{ day: '2026-11-02', plays: 5 }],
    lines: [{ from: '2026-11-01', to: '2026-11-30', plays: 5, charged: 5, days: 30, amount: '0.25' }],
    amount: '0.25',
  },
  digest: 'd',
};
const WHOLE = [batch(1), batch(2), batch(6), batch(8)];

/** The verdict on batches 1, 2, 6 and 8. */
function check(batches: CheckedBatch[], tail = TAIL, digest = 'd') {
  const checker = new ProofCheck(HEAD);
  for (const each of batches) checker.add(each);
  return checker.end(tail, digest);
}

const kinds = (batches: CheckedBatch[], tail = TAIL) => check(batches, tail).faults.map(({ kind }) => kind);

test('a whole file is right: holes are those that it names, and plays add up by their parts', () => {
  expect(check(WHOLE)).toEqual({
    ...{ faults: [], counted: 5, proven: 4, provenMs: 80_000, batches: 4, missing: 1 },
    amount: { from: '2026-11-01', to: '2026-11-30', stated: '0.25', recomputed: '0.25', proven: '0.20' },
  });
});

test('a batch that is left out, repeated, moved or follows another is found', () => {
  const [one, two, six, eight] = WHOLE;
  if (!one || !two || !six || !eight) throw new Error('four batches');
  expect(kinds([one, six, eight])).toContain('missing');
  expect(kinds([one, two, six])).toContain('missing');
  expect(kinds([one, two, two, six, eight])).toEqual(['order', 'repeated', 'missing', 'totals']);
  expect(kinds([two, one, six, eight])).toContain('order');
  const foreign = batch(2, { batch: { ...batch(2).batch, previous: 'x' } });
  expect(kinds([one, foreign, six, eight])).toEqual(['link']);
  expect(kinds([])).toEqual(['missing', 'totals']);
});

test('a wrong signature, another device, unreadable batches and changed sums are found', () => {
  const [one, ...others] = WHOLE;
  expect(kinds([batch(1, { isSigned: false }), ...others])).toEqual(['signature']);
  expect(kinds([batch(1, { batch: { ...batch(1).batch, device: 'x' } }), ...others])).toEqual(['device']);
  expect(kinds([batch(1, { batch: undefined }), ...others])).toContain('form');
  expect(kinds([batch(1, { uncounted: [[0, 'early']] }), ...others])).toEqual(['totals']);
  const [device] = TAIL.devices;
  const less = {
    ...TAIL,
    statement: null,
    devices: device ? [{ ...device, counted: { plays: 3, durationMs: 0 } }] : [],
  };
  expect(kinds(one ? [one, ...others] : [], less)).toEqual(['totals']);
  expect(check(WHOLE, TAIL, 'another').faults).toEqual([{ kind: 'digest', device: null, seq: null }]);
});

/** The verdict if the installation had written its sums anew, with everything that it signs nothing of. */
const forged = (
  { lines, campaign, ...statement }: Partial<ProofStatement & Pick<ProofHead, 'campaign'>>,
  head = HEAD,
) => {
  const checker = new ProofCheck(campaign ? { ...head, campaign } : head);
  for (const each of WHOLE) checker.add(each);
  const known = TAIL.statement;
  if (!known) throw new Error('a statement');
  const tail = { ...TAIL, statement: { ...known, ...statement, lines: lines ?? known.lines } };
  return checker.end(tail, 'd');
};
const forgedKinds = (...args: Parameters<typeof forged>) => forged(...args).faults.map(({ kind }) => kind);

test('an amount that does not follow from the plays, the price and the order is found', () => {
  const { campaign } = HEAD;
  const price = { ...campaign.price, amount: '0.04' };
  expect(forgedKinds({})).toEqual([]);
  expect(forgedKinds({ amount: '0.26' })).toEqual(['amount']);
  expect(forgedKinds({ lines: [] })).toEqual(['amount']);
  expect(forgedKinds({ to: '2026-11-01' })).toEqual(['amount']);
  expect(forgedKinds({ campaign: { ...campaign, price } })).toEqual(['amount']);
  expect(forgedKinds({ campaign: { ...campaign, ordered: 4 } })).toEqual(['amount']);
  expect(forgedKinds({ days: [{ day: '2026-12-02', plays: 5 }] })).toEqual(['amount']);
  expect(forgedKinds({ days: [{ day: '2026-11-02', plays: 6 }] })).toEqual(['totals', 'amount']);
  expect(forged({ amount: '0.26' }).amount).toMatchObject({ stated: '0.26', recomputed: '0.25', proven: '0.20' });
  const twice = [2, 3].map((plays) => ({ day: '2026-11-02', plays }));
  expect(forgedKinds({ days: twice })).toContain('totals');
});

test('a campaign that was never booked has no amount', () => {
  expect(check(WHOLE, { ...TAIL, statement: null })).toMatchObject({ faults: [], amount: null });
  expect(forgedKinds({ campaign: { ...HEAD.campaign, ordered: null } })).toEqual(['amount']);
});

test('proven plays are charged on the days of their devices, parts of plays on the day that completes them', () => {
  const [item] = HEAD.items;
  const [key] = HEAD.keys;
  if (!item || !key) throw new Error('an item and a key');
  const device = { ...key.device, timeZone: 'Asia/Kolkata' };
  const checker = new ProofCheck({ ...HEAD, items: [{ ...item, part: 1 / 3 }], keys: [{ ...key, device }] });
  const at = (time: string) => play(0, { at: `2026-11-02T${time}:00.000Z` });
  checker.add(batch(1, {}, [at('18:10'), at('18:20'), at('18:30'), at('18:40'), at('18:50'), at('19:00')]));
  expect(checker.provenDays()).toEqual([
    { day: '2026-11-02', plays: 0 },
    { day: '2026-11-03', plays: 2 },
  ]);
});

test('a play that is in two batches counts against the file', () => {
  const again = batch(8, {}, [play(2), play(17)]);
  expect(check([...WHOLE.slice(0, 3), again]).faults).toEqual([{ kind: 'repeated', device: 'Lobby', seq: 8 }]);
});

test('chains are described so that their file is right', () => {
  const checker = new ProofCheck(HEAD);
  for (const each of [batch(1), batch(2), batch(9), batch(10, { batch: { ...batch(10).batch, previous: 'x' } })]) {
    checker.add(each);
  }
  expect(
    checker.chains(() => [
      [1, 1],
      [4, 5],
      [7, 7],
      [10, 9],
      [20, 30],
    ]),
  ).toEqual([
    {
      ...{ key: 0, batches: 4, last: 10, lastHash: '10' },
      ...{
        without: [
          [3, 3],
          [6, 6],
          [8, 8],
        ],
        missing: [
          [4, 5],
          [7, 7],
        ],
        broken: [10],
      },
    },
  ]);
});

test('a play that lacks the last of its parts is not whole', () => {
  const [item] = HEAD.items;
  if (!item) throw new Error('an item');
  const shas = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
  const items = [7, 11, 13].map((plays, index) => ({ ...item, sha256: shas[index] ?? '', part: 1 / plays }));
  const checker = new ProofCheck({ ...HEAD, items });
  // 2/7, 7/11 and 1/13: one part of 1001 is missing.
  const plays = [2, 7, 1].flatMap((count, index) =>
    Array.from({ length: count }, (_, minute) => play(10 * index + minute, { sha256: shas[index] ?? '' })),
  );
  checker.add(batch(1, {}, plays));
  expect(checker.provenDays()).toEqual([{ day: '2026-11-02', plays: 0 }]);
});

test('parts of plays on many devices add up to whole plays', () => {
  const [item] = HEAD.items;
  const [key] = HEAD.keys;
  if (!item || !key) throw new Error('an item of a device');
  const ids = Array.from({ length: 9000 }, (_, index) => `device ${index}`);
  const keys = ids.map((id) => ({ ...key, device: { ...key.device, id } }));
  const checker = new ProofCheck({ ...HEAD, items: [{ ...item, part: 1 / 3 }], keys });
  for (const [index, device] of ids.entries()) {
    const one = batch(1, { key: index, hash: device }, [play(0)]);
    checker.add({ ...one, batch: { ...one.batch, device } });
  }
  const devices = ids.map((id) => ({ id, name: id, counted: checker.proven(id), proven: checker.proven(id) }));
  const chains = checker.chains(() => []);
  const result = checker.end({ ...TAIL, chains, devices, statement: null }, 'd');
  expect(result).toMatchObject({ faults: [], counted: 3000, proven: 3000 });
});
