import type { Programme, ProgrammeItem } from '../player.ts';
import { type Region, regionsOfSplit } from '../vocabulary.ts';

/** The playlist of a region. */
export const itemsOf = (programme: Laid, region: Region): readonly ProgrammeItem[] => programme.regions[region] ?? [];

/** The parts of a programme that place items in regions. */
export type Laid = Pick<Programme, 'orientation' | 'split' | 'regions'>;

/** Regions of a programme that have something to show, in layout order. */
export const regionsOf = (programme: Laid): Region[] =>
  (regionsOfSplit(programme.orientation, programme.split) ?? [])
    .map(({ region }) => region)
    .filter((region) => itemsOf(programme, region).length > 0);

const roundMs = (programme: Laid, region: Region): number =>
  itemsOf(programme, region).reduce((sum, item) => sum + item.durationMs, 0);

/** The region with the longest round; of equals the first in the layout. */
export const leadOf = (programme: Laid): Region | undefined =>
  regionsOf(programme).reduce<Region | undefined>(
    (lead, region) => (lead && roundMs(programme, lead) >= roundMs(programme, region) ? lead : region),
    undefined,
  );

/** How long a programme keeps the screen: the round of its lead region; 0 when it has nothing to show. */
export function turnMs(programme: Laid): number {
  const lead = leadOf(programme);
  return lead ? roundMs(programme, lead) : 0;
}
