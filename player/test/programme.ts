import { randomUUID } from 'node:crypto';
import type { Programme } from '@ams/contract';

/** A full-screen programme that always plays, of a release of its own. */
export const makeProgramme = (over: Partial<Programme> = {}): Programme => ({
  releaseId: randomUUID(),
  adId: randomUUID(),
  name: 'spring',
  orientation: 'horizontal',
  split: 'full',
  playMode: 'sequence',
  showClock: false,
  fit: 'contain',
  priority: 'normal',
  replace: true,
  schedule: null,
  regions: {},
  ...over,
});
