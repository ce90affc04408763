import { type Ad, type AdItemShown, type Programme, type ProgrammeItem, type Region, showingMs } from '@ams/contract';
import { nextStep, type Rotation, startRotation } from '@ams/contract/rules/sequence';

/** What of an ad is needed to show it. */
export type Staged = Pick<
  Ad,
  'orientation' | 'split' | 'playMode' | 'showClock' | 'fit' | 'background' | 'qr' | 'regions'
>;

const NOBODY = '00000000-0000-7000-8000-000000000000';

function toItem(item: AdItemShown): ProgrammeItem {
  switch (item.kind) {
    case 'file':
      return { kind: item.kind, sha256: item.fileId, media: item.media, durationMs: showingMs(item) };
  }
}

/** Names an item within its region's playlist. */
export function keyOfItem(item: AdItemShown): string {
  switch (item.kind) {
    case 'file':
      return item.fileId;
  }
}

/** An ad as the programme that a device would get of it; files are named by their ids. */
const programmeOf = ({ orientation, split, playMode, showClock, fit, regions }: Staged): Programme => ({
  releaseId: NOBODY,
  adId: NOBODY,
  name: '',
  priority: 'normal',
  replace: true,
  schedule: null,
  orientation,
  split,
  playMode,
  showClock,
  fit,
  regions: Object.fromEntries(Object.entries(regions).map(([region, items]) => [region, items.map(toItem)])),
});

/** The way of a preview through an ad: a device's own. `random` from 0 up to, not including, 1. */
export const startPreview = (ad: Staged, random: number): Rotation | undefined =>
  startRotation([programmeOf(ad)], Math.floor(random * 2 ** 32));

/** After a region's item has ended. An ad that plays once stays where it ended. */
export function afterItem(rotation: Rotation, region: Region): Rotation {
  const step = nextStep(rotation, region);
  return step?.kind === 'item' ? step.rotation : rotation;
}

/** An item's place in its region's playlist; `key` is another for every turn. */
export interface Turn {
  key: string;
  index: number;
}

function turnIn(rotation: Rotation, region: Region): Turn | undefined {
  const lane = rotation.lanes[region];
  const index = lane?.order[lane.at];
  return lane && index !== undefined ? { key: `${lane.round}-${lane.at}`, index } : undefined;
}

/** The visible item of a region and the one being prepared. */
export function turnsOf(rotation: Rotation, region: Region): Turn[] {
  const step = nextStep(rotation, region);
  const turns = [turnIn(rotation, region), step?.kind === 'item' ? turnIn(step.rotation, region) : undefined];
  return turns.flatMap((turn) => turn ?? []);
}
