import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { hostileFiles } from './hostile-files/corpus.ts';
import { type Outcome, post } from './hostile-files/post.ts';
import { pairedDevice } from './device.ts';
import { startTestServer } from './server.ts';

/** The worst of the corpus; all of it: `npm run faults -- hostile`. */
const WORST = [
  'mp4 stts of 0x20000000 samples with ctts',
  'mp4 stsz of all samples there can be',
  'mp4 trun of 0x20000000 default samples',
  'mp4 moov in itself, 10,000 deep',
  'mov media in file:///etc/passwd',
  'webm of one track 5,000 times',
  'mkv of tags in each other, 10000 deep',
  'video that is a playlist of HLS',
  'video that is a playlist in free space',
  'jpeg of 883 scans',
  'screenshot of 883 scans',
  'screenshot that is an SVG with a script',
  'png of 39 megapixels of 64 bits',
  'png with a profile that inflates to 500 MB',
  'webp of 10,000 frames of 6000 × 6000',
  'gif of 10,000 frames of 6000 × 6000',
  'apk whose manifest inflates to 1 GB',
  'apk of 60,000 members that overlap',
  'xlsx whose sheet has a cell of 60 MB',
  'xlsx with a billion laughs in xl/worksheets/sheet1.xml',
];

const AT_ONCE = 4;
const PATIENCE_MS = 120_000;
/** Parsed in this process, the worst files stop it for half a minute or for ever; a busy computer does for a moment. */
const STALL_MAX_MS = 5000;
const MEMORY_MAX_MB = 1500;

const memoryMb = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

test('the worst files of the corpus are refused or fail, and block nobody', { timeout: 300_000 }, async () => {
  const server = await startTestServer();
  const admin = await server.login();
  const device = await pairedDevice(server, admin);
  const attacker = { url: server.url, token: admin.token, secret: device.secret };
  const chosen = hostileFiles().filter(({ name }) => WORST.includes(name));
  expect(chosen).toHaveLength(WORST.length);
  // Making them is not what is measured.
  const files = await Promise.all(
    chosen.map(async (file) => {
      const bytes = await file.make();
      return { ...file, make: () => bytes };
    }),
  );
  const stalls = monitorEventLoopDelay({ resolution: 20 });
  stalls.enable();
  const ends: [string, Outcome][] = [];
  const postAll = async (): Promise<void> => {
    for (let file = files.shift(); file; file = files.shift()) {
      ends.push([file.name, await post(attacker, file, PATIENCE_MS)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, postAll));
  stalls.disable();
  const wrong = ends.filter(([, end]) => end.kind === 'processing' || (end.kind === 'refused' && end.status >= 500));
  expect(wrong).toEqual([]);
  expect(ends).toHaveLength(WORST.length);
  expect(stalls.max / 1e6).toBeLessThan(STALL_MAX_MS);
  expect(memoryMb()).toBeLessThan(MEMORY_MAX_MB);
  expect((await admin.calls.devices.list()).code).toBe(200);
});
