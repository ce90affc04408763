import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type CheckedFile, checkFile } from './check-file.ts';
import { sampleProof } from './sample.ts';

/** `AMS_ALTERATIONS=10000` proves the figure that the README names. */
const ALTERATIONS = Number(process.env['AMS_ALTERATIONS'] ?? 300);
const DEVICES = 2;
const BATCHES = 6;

let lines: string[];

beforeAll(async () => {
  lines = [];
  for await (const line of sampleProof({ devices: DEVICES, batches: BATCHES, plays: 3 })) lines.push(line);
});

/** The file in pieces of this size, as a disk gives them. */
function check(text: string, size = 1000): Promise<CheckedFile> {
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return checkFile(pieces());
}

/** Whether something is found; a file that cannot be read is refused as a whole. */
const isFound = async (text: string): Promise<boolean> =>
  check(text).then(
    ({ faults }) => faults.length > 0,
    () => true,
  );

test('a file as it was written is right, however it is read', async () => {
  for (const size of [1, 17, 1_000_000]) {
    expect(await check(lines.join(''), size)).toMatchObject({
      ...{ faults: [], proven: 36, counted: 36, provenMs: 360_000, batches: 12, missing: 0, devices: DEVICES },
      campaign: { name: 'Spring shoes — 春' },
    });
  }
});

test('a file that another program laid out anew is right, too', async () => {
  const text = JSON.stringify(JSON.parse(lines.join('')), null, 2);
  expect(await check(text)).toMatchObject({ faults: [], proven: 36 });
  expect((await check(lines.join('').replaceAll('\n', '\r\n'))).faults).toEqual([]);
});

test.each([
  ['a short name of earlier versions', 'IST'],
  ['an offset', '+05:30'],
  ['a name that is newer than the browser', 'Mars/Olympus_Mons'],
])('a file with a time zone by %s is right', async (_kind, timeZone) => {
  let text = '';
  for await (const line of sampleProof({ devices: 1, batches: 1, plays: 3, timeZone })) text += line;
  expect(await check(text)).toMatchObject({ faults: [], proven: 3, amount: { stated: '0.15', proven: '0.15' } });
});

test('what is no verification file is refused', async () => {
  for (const text of ['', '{}', 'hello', '\n\n', '{"batches":[]}']) {
    expect(await check(text).catch(() => 'refused')).toBe('refused');
  }
});

const batch = fc.integer({ min: 1, max: DEVICES * BATCHES });
const alteration = fc.oneof(
  fc.record({ kind: fc.constant('character' as const), at: fc.nat(), by: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('omit' as const), first: batch, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('repeat' as const), first: batch, to: batch }),
  fc.record({ kind: fc.constant('swap' as const), first: batch, to: batch }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
);
type Alteration = typeof alteration extends fc.Arbitrary<infer T> ? T : never;

/** Another character of the same kind, so that the form stays right as often as possible. */
function turned(character: string, by: number): string {
  const code = character.codePointAt(0) ?? 0;
  const within = (first: number, count: number): string =>
    String.fromCodePoint(first + ((code - first + 1 + (by % (count - 1))) % count));
  if (/\d/.test(character)) return within(48, 10);
  if (/[a-z]/.test(character)) return within(97, 26);
  return /[A-Z]/.test(character) ? within(65, 26) : String.fromCodePoint(code + by);
}

function altered(change: Alteration): string {
  const text = lines.join('');
  const changed = [...lines];
  switch (change.kind) {
    case 'character': {
      const at = change.at % text.length;
      return text.slice(0, at) + turned(text.charAt(at), change.by) + text.slice(at + 1);
    }
    case 'cut':
      return text.slice(0, change.at % (text.length - 1));
    case 'omit':
      changed.splice(change.first, Math.min(change.count, lines.length - 1 - change.first));
      break;
    case 'repeat':
      changed.splice(change.to, 0, lines[change.first] ?? '');
      break;
    case 'swap':
      [changed[change.first], changed[change.to]] = [lines[change.to] ?? '', lines[change.first] ?? ''];
  }
  return changed.join('').replace(/,?\n\]/, '\n]');
}

test(
  'every alteration, omission, repetition and other order is found',
  { timeout: 10_000 + ALTERATIONS * 100 },
  async () => {
    await fc.assert(
      fc.asyncProperty(alteration, async (change) => {
        const text = altered(change);
        // What lies between lines says nothing, nor does the same value in other digits.
        fc.pre(!isSame(text));
        expect(await isFound(text)).toBe(true);
      }),
      { numRuns: ALTERATIONS },
    );
  },
);

/** Whether two files are the same JSON. */
function isSame(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(lines.join('')));
  } catch {
    return false;
  }
}
