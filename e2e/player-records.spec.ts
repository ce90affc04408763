import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { Stand, item, programme, state } from './device.ts';
import { expect, test } from './stories.ts';

/** Chromium keeps each big record of its database in a file, which a power cut or a bad disk may lose. */
const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterAll(() => stand.end());

/** The files of big records. */
const bigRecords = (profile: string): string[] =>
  readdirSync(path.join(profile, 'Default/IndexedDB'), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('.blob'))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Stores a batch of plays that is too big to lie among the small records. */
const storeBatch = (page: Page, batch: { batch: string; plays: object[] }): Promise<void> =>
  page.evaluate(
    (record) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('ams-player');
        opening.addEventListener('success', () => {
          const database = opening.result;
          const storing = database.transaction('batches', 'readwrite', { durability: 'strict' });
          storing.objectStore('batches').put(record);
          storing.addEventListener('error', () => reject(new Error(String(storing.error))));
          storing.addEventListener('complete', () => {
            database.close();
            resolve();
          });
        });
      }),
    batch,
  );

const playing = (page: Page) => expect.poll(() => state(page).catch(() => null), { timeout: 60_000 }).toBe('playing');

for (const [damage, spoil] of [
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => truncateSync(file)],
] as const) {
  test(`a device plays and reports its plays although files of big records are ${damage}`, async ({
    browserName: _,
  }) => {
    const profile = path.join(stand.folder, damage);
    const file = stand.image('blue');
    const many = Array.from({ length: 500 }, () => programme({ full: [item(file, 500)] }, { name: randomUUID() }));
    stand.release(...many);
    const browser = stand.fragile(damage);
    const page = await browser.start(stand.address());
    await playing(page);
    // The batch of which the answer is lost stays.
    stand.server.loseAnswer = () => true;
    const plays = Array.from({ length: 1000 }, () => ({
      ...{ releaseId: randomUUID(), sha256: randomBytes(32).toString('hex') },
      ...{ at: new Date().toISOString(), durationMs: 500 },
    }));
    await storeBatch(page, { batch: randomUUID(), plays });
    // Until both are in their files, also the manifest, which is written when the browser pleases.
    await expect.poll(() => bigRecords(profile).length).toBe(2);
    await browser.kill();
    stand.server.batches.clear();
    stand.server.loseAnswer = () => false;
    for (const lost of bigRecords(profile)) spoil(lost);
    const again = await browser.start(stand.address());
    await playing(again);
    await expect.poll(() => stand.server.batches.size, { timeout: 60_000 }).toBeGreaterThan(0);
    await browser.kill();
  });
}
