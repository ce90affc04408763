import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { sampleProof } from '../web/verify/sample.ts';
import { load, median, verdict } from './figures.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const PAGE = path.resolve(import.meta.dirname, '../web/dist/verify.html');
/** How much slower a phone is. Chromium slows down the page only, not its worker: its time is multiplied. */
const THROTTLE = 4;
const GOAL_MS = 10_000;
const ROUNDS = 3;
const DEVICES = 10;

/** A million plays, as devices report them after an outage, and a tenth of them as they report them while online. */
const FILES = [
  { name: 'a million plays, 500 a batch', batches: 200, plays: 500, goal: true },
  { name: '100,000 plays, 3 a batch', batches: 3333, plays: 3, goal: false },
];

/** Milliseconds from choosing the file to the verdict. */
async function check(page: Page, file: string): Promise<number> {
  await page.goto(pathToFileURL(PAGE).href);
  const begun = performance.now();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.locator('.sign.good').waitFor({ timeout: 600_000 });
  return performance.now() - begun;
}

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
      const client = await page.context().newCDPSession(page);
      await client.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
      const times: number[] = [];
      const floors: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        times.push(await check(page, file));
        floors.push(await readFloor(page, file));
      }
      const ms = median(times);
      const slow = ms * THROTTLE;
      const mb = (await stat(file)).size / 1e6;
      const judged = goal ? ` (goal ${GOAL_MS / 1000} s: ${verdict(slow < GOAL_MS)})` : '';
      console.log(
        `${name}, ${mb.toFixed(0)} MB: ${(ms / 1000).toFixed(1)} s, × ${THROTTLE}: ${(slow / 1000).toFixed(1)} s${judged}; ` +
          `floor, the bytes read and hashed: ${(median(floors) / 1000).toFixed(1)} s; ${load()}`,
      );
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
