import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts, Fleet } from '../../fleet/src/fleet.ts';
import { makePicture } from '../media.ts';
import { dataOf } from '../server.ts';
import type { Operator } from './operator.ts';

const LOOK_MS = 250;

/** Waits for the fleet to be in some state. */
export async function until(fleet: Fleet, what: (counts: Counts) => boolean): Promise<void> {
  while (!what(fleet.counts())) await sleep(LOOK_MS);
}

/** A picture of one second on every machine: as many plays as can be. */
export async function releasePicture(folder: string, operator: Operator): Promise<void> {
  const file = path.join(folder, 'one.png');
  makePicture(file, 'blue', '90x160');
  const fileId = await operator.upload(new Uint8Array(readFileSync(file)), { name: 'one.png', screen: '1', type: '1' });
  await operator.ready(fileId);
  const body = { name: 'One', screen: 1 as const, split: 'full' as const, regions: { full: [{ fileId, seconds: 1 }] } };
  const ad = dataOf(await operator.calls.ads.create({ body }));
  dataOf(await operator.calls.ads.release({ params: { id: ad.id }, body: { devices: { filter: {} } } }));
}
