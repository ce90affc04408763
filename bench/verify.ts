import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { sampleProof } from '../web/verify/sample.ts';
import { load, median, verdict } from './figures.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const PAGE = path.resolve(import.meta.dirname, '../web/dist/verify.html');
/**
 * How much slower a phone is. All times are multiplied by it: Chromium would slow down the page only, not its worker, and
 * does so by keeping a processor busy. Processor time is judged, as if the phone had one core: the time that passes
 * depends on what else this computer does.
 */
const THROTTLE = 4;
const GOAL_MS = 10_000;
const ROUNDS = 3;
const DEVICES = 10;

/** A million plays, as devices report them after an outage, and a tenth of them as they report them while online. */
const FILES = [
  { name: 'a million plays, 500 a batch', batches: 200, plays: 500, goal: true },
  { name: '100,000 plays, 3 a batch', batches: 3333, plays: 3, goal: false },
];

/** Milliseconds of processor time that all pages of the browser have used, with their workers. */
async function cpuOf(browser: Browser): Promise<number> {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  return pages.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

/** Milliseconds from choosing the file to the verdict, and the processor time of the page and its worker. */
async function check(browser: Browser, page: Page, file: string): Promise<{ ms: number; cpuMs: number }> {
  await page.goto(pathToFileURL(PAGE).href);
  const [begun, used] = [performance.now(), await cpuOf(browser)];
  await page.locator('input[type=file]').setInputFiles(file);
  await page.locator('h2 .sign.good').waitFor({ timeout: 600_000 });
  return { ms: performance.now() - begun, cpuMs: (await cpuOf(browser)) - used };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Milliseconds in which the same bytes are read and hashed, and nothing else. */
async function readFloor(page: Page, file: string): Promise<number> {
  await page.setContent('<input type="file">');
  await page.locator('input').setInputFiles(file);
  return page.evaluate(async () => {
    const [chosen] = document.querySelector('input')?.files ?? [];
    const begun = performance.now();
    const bytes = chosen ? await chosen.arrayBuffer() : new ArrayBuffer();
    await crypto.subtle.digest('SHA-256', bytes);
    return performance.now() - begun;
  });
}

export default async function run(folder: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    for (const { name, goal, ...size } of FILES) {
      const file = path.join(folder, 'sample.proof.json');
      await pipeline(Readable.from(sampleProof({ devices: DEVICES, ...size })), createWriteStream(file));
      const page = await browser.newPage();
      const times: number[] = [];
      const cpu: number[] = [];
      const floors: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { ms, cpuMs } = await check(browser, page, file);
        times.push(ms);
        cpu.push(cpuMs);
        floors.push(await readFloor(page, file));
      }
      const [ms, cpuMs] = [median(times), median(cpu)];
      const mb = (await stat(file)).size / 1e6;
      const judged = goal ? ` (goal ${GOAL_MS / 1000} s: ${verdict(cpuMs * THROTTLE < GOAL_MS)})` : '';
      console.log(
        `${name}, ${mb.toFixed(0)} MB: processor ${seconds(cpuMs)}, × ${THROTTLE}: ${seconds(cpuMs * THROTTLE)}${judged}; ` +
          `elapsed ${seconds(ms)}, × ${THROTTLE}: ${seconds(ms * THROTTLE)}; ` +
          `floor, the bytes read and hashed: ${seconds(median(floors))}; ${load()}`,
      );
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
