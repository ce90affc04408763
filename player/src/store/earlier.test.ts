import { Manifest } from '@ams/contract';
import { expect, test } from 'vitest';
import { makeProgramme } from '../../test/programme.ts';
import { upgradeFinished, upgradeLive } from './earlier.ts';

const sha256 = 'a'.repeat(64);
const { orientation: _, regions: __, ...programme } = makeProgramme({});

const stored = {
  etag: '"1"',
  manifest: {
    version: 'v1',
    device: { id: '0190f7f0-0000-7000-8000-000000000000', mac: '02:00:5e:10:00:01', name: 'Foyer' },
    serverTime: '2026-11-22T00:00:00.000Z',
    timeZone: 'UTC',
    expired: false,
    expiresAt: null,
    bandwidth: null,
    merchant: null,
    files: [],
    screens: {
      main: [{ ...programme, screen: 1, regions: { full: [{ sha256, kind: 'video', durationMs: 5000 }] } }],
      secondary: [{ ...programme, screen: 2, regions: { left: [{ sha256, kind: 'image', durationMs: 7000 }] } }],
    },
    withdrawn: [],
    app: null,
  },
};

test('a manifest of an earlier player is read in today’s shape', () => {
  const live = upgradeLive(stored);
  expect(live?.etag).toBeNull();
  const { screens } = Manifest.parse(live?.manifest);
  expect(screens.main[0]).toMatchObject({
    orientation: 'vertical',
    regions: { full: [{ kind: 'file', media: 'video', sha256, durationMs: 5000 }] },
  });
  expect(screens.secondary[0]).toMatchObject({
    orientation: 'horizontal',
    regions: { left: [{ kind: 'file', media: 'image' }] },
  });
});

test('anything else is nothing', () => {
  expect(upgradeLive(undefined)).toBeUndefined();
  expect(
    upgradeLive({ manifest: { screens: { main: [{ orientation: 'vertical' }], secondary: [] } } }),
  ).toBeUndefined();
});

test('releases that an earlier player noted as played once are still known as such', () => {
  expect(upgradeFinished(undefined, 5)).toEqual({});
  expect(upgradeFinished([sha256, 'b'], 5)).toEqual({ [sha256]: 5, b: 5 });
});
