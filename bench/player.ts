import type { Programme, ProgrammeItem } from '@ams/contract';
import { clip, makeMedia } from '@ams/player/test/clips';
import { type FakeFile, FakeServer } from '@ams/player/test/fake-server';
import { type Change, gapsOf, watchGaps } from '@ams/player/test/gaps';
import { makeProgramme } from '@ams/player/test/programme';
import { launchKiosk } from '../e2e/kiosk.ts';
import { load, verdict } from './figures.ts';

const CHANGES = 200;
const STARTS = 5;
const IMAGE_MS = 500;
const VIDEO_SECONDS = 1;
const LIFE_ITEMS = 1000;
const FIRST_FRAME_MS = 500;
/** A frame of a display of 60 Hz, and what its times are rounded by. */
const DISPLAY_FRAME_MS = 1000 / 60 + 0.5;

const launch = (folder: string): ReturnType<typeof launchKiosk> =>
  launchKiosk(folder, { width: 1280, height: 720 }, ['--enable-precise-memory-info']);

const programme = (items: ProgrammeItem[]): Programme => makeProgramme({ fit: 'cover', regions: { full: items } });

const item = ({ sha256, mime }: FakeFile, imageMs = IMAGE_MS): ProgrammeItem =>
  mime === 'video/mp4'
    ? { sha256, kind: 'file', media: 'video', durationMs: VIDEO_SECONDS * 1000 }
    : { sha256, kind: 'file', media: 'image', durationMs: imageMs };

/** The middle and the last of some numbers, to a tenth. */
function medianAndWorst(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const text = (value: number | undefined) => (value ?? Number.NaN).toFixed(1);
  return `${text(sorted[Math.floor(sorted.length / 2)])} / ${text(sorted.at(-1))}`;
}

/** From a browser that has just started, without a server, to the first frame. */
async function measureStarts(folder: string, address: string): Promise<void> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const { context, page } = await launch(folder);
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('.shown')) performance.mark('first frame');
      }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] });
    });
    await page.goto(address);
    await page.locator('.shown').first().waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByName('first frame')[0]?.startTime ?? Number.NaN));
    await context.close();
  }
  const reached = Math.max(...times) <= FIRST_FRAME_MS;
  console.log(
    `first frame without a server, ms (median / worst of ${STARTS}): ${medianAndWorst(times)}: ${verdict(reached)} (${load()})`,
  );
}

function printGaps(kind: string, changes: readonly Change[]): void {
  const late = changes.map(({ lateMs }) => lateMs);
  const cut = changes.map(({ lateMs }) => -lateMs);
  const skipped = changes.map(({ skippedMs }) => skippedMs);
  console.log(
    `${kind.padEnd(15)} ${String(changes.length).padStart(4)} changes, late ${medianAndWorst(late)}, cut ${medianAndWorst(cut)}, skipped at the start ${medianAndWorst(skipped)}`,
  );
}

async function measureGaps(folder: string, address: string, durations: Record<string, number>): Promise<void> {
  const { context, page } = await launch(folder);
  await watchGaps(page, durations);
  await page.goto(address);
  const { changes, empty, frames } = await gapsOf(page, CHANGES, CHANGES * 3000);
  console.log(`gaps, ms (median / worst); ${empty} of ${frames} display frames were empty`);
  for (const from of ['image', 'video'] as const) {
    for (const to of ['image', 'video'] as const) {
      printGaps(
        `${from} → ${to}`,
        changes.filter((change) => change.from === from && change.to === to),
      );
    }
  }
  const late = changes.filter(({ lateMs }) => lateMs > DISPLAY_FRAME_MS).length;
  console.log(
    `later than by one display frame: ${late} of ${changes.length} changes: ${verdict(late === 0)} (${load()})`,
  );
  await context.close();
}

/** Memory of a page after garbage collection. */
async function measureLife(folder: string, address: string): Promise<void> {
  const { context, page } = await launch(folder);
  await page.addInitScript(() => {
    let count = 0;
    Object.assign(window, { played: () => count });
    new MutationObserver((records) => {
      count += records.filter(({ target }) => target instanceof Element && target.classList.contains('shown')).length;
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] });
  });
  await page.goto(address);
  const session = await context.newCDPSession(page);
  for (let reached = 0; reached < LIFE_ITEMS; reached += LIFE_ITEMS / 5) {
    await page.waitForFunction(
      (count) => 'played' in window && typeof window.played === 'function' && window.played() >= count,
      reached,
      { timeout: 600_000, polling: 1000 },
    );
    await session.send('HeapProfiler.collectGarbage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    console.log(`after ${reached} items: ${(usedSize / 2 ** 20).toFixed(2)} MiB of heap, ${nodes} nodes`);
  }
  await context.close();
}

/** Start, gaps and memory of a device in this computer's Chromium. Build first (`npm run build`). */
export default async function bench(folder: string): Promise<void> {
  const server = new FakeServer();
  const origin = await server.listen();
  const address = `${origin}/player/?mac=02:00:00:00:00:01`;
  const video = (colour: string) => server.addFile(makeMedia(folder, `${colour}.mp4`, clip(colour, VIDEO_SECONDS)));
  const image = (colour: string) => server.addFile(makeMedia(folder, `${colour}.png`, clip(colour, 1)), 'image/png');
  const [red, lime, blue] = [video('red'), video('lime'), video('blue')];
  const brief = server.addFile(makeMedia(folder, 'brief.mp4', clip('white', 0.2)));
  const [cyan, yellow] = [image('cyan'), image('yellow')];
  const playlist = [red, lime, cyan, yellow, blue, red, cyan, lime, yellow, cyan, blue];
  server.programmes = [programme(playlist.map((file) => item(file)))];
  const durations = Object.fromEntries(playlist.map((file) => [file.sha256, item(file).durationMs]));

  const { context, page } = await launch(folder);
  await page.goto(address);
  await page.locator('.shown').first().waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.close();
  await server.close();

  await measureStarts(folder, address);
  await measureGaps(folder, address, durations);

  const again = new FakeServer();
  await again.listen(Number(new URL(origin).port));
  for (const file of server.files.values()) again.files.set(file.sha256, file);
  const short = [cyan, yellow, brief, cyan].map((file) => item(file, 100));
  again.programmes = [programme(short)];
  again.version = 2;
  await measureLife(folder, address);
  await again.close();
}
