import { randomUUID } from 'node:crypto';
import type { Manifest, Programme } from '@ams/contract';

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

/** A manifest with one programme on the main screen. */
export const makeManifest = (over: Partial<Manifest> = {}): Manifest => ({
  version: '1',
  device: { id: randomUUID(), mac: '02:00:00:00:00:01', name: '' },
  serverTime: '2026-11-21T12:00:00Z',
  timeZone: 'UTC',
  expired: false,
  expiresAt: null,
  bandwidth: null,
  withdrawn: [],
  merchant: null,
  files: [],
  screens: { main: [makeProgramme()], secondary: [] },
  app: null,
  ...over,
});
