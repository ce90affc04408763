import type { Manifest, Programme, Screen } from '@ams/contract';
import {
  type MissedSpots,
  type Paced,
  type SpotChooser,
  type SpotCount,
  isPaced,
  makeSpotChooser,
} from '@ams/contract/rules/spots';
import type { KeptSpots } from '../store/ports.ts';

export interface Spots {
  /** Takes over the campaigns of a screen. Spots that it does not know of it continues from the server's count. */
  follow(manifest: Manifest, screen: Screen): void;
  /** The spot that plays at an instant (milliseconds since 1970) after `last`, or none: the fill. */
  choose(paced: readonly Paced[], at: number, last: Programme | undefined, hasFill: boolean): Paced | undefined;
  /** A programme has begun in this turn, a spot or the fill; a spot counts, for the choice, before it has ended. */
  begun(turn: number, programme: Programme, at: number): void;
  /** The turn of the spot on screen is over, and at least one of its items has played. */
  played(): void;
}

/** The server's count of a release, for a device that has lost its own. */
function countedOf({ spots = [] }: Manifest, releaseId: string, screen: Screen): SpotCount {
  const counted = spots.find((each) => each.releaseId === releaseId && each.screen === screen);
  return { played: counted?.played ?? 0, lastAt: counted?.lastAt ? Date.parse(counted.lastAt) : null };
}

/** Counts and chooses the spots of one screen. `keep` stores the counts for the next start. */
export function makeSpots(restored: KeptSpots, keep: (spots: KeptSpots) => void): Spots {
  const missed: MissedSpots = new Map();
  let counts = new Map(Object.entries(restored));
  let chooser: SpotChooser = () => undefined;
  let known: Manifest | undefined;
  let running: { turn: number; releaseId: string; at: number } | undefined;

  const withRunning = (): Map<string, SpotCount> => {
    if (!running) return counts;
    const { releaseId, at } = running;
    return new Map(counts).set(releaseId, { played: (counts.get(releaseId)?.played ?? 0) + 1, lastAt: at });
  };

  return {
    follow(manifest, screen) {
      if (manifest === known) return;
      known = manifest;
      const { timeZone, expiresAt, workingHours = null } = manifest;
      chooser = makeSpotChooser({ timeZone, expiresOn: expiresAt, workingHours }, missed);
      const paced = manifest.screens[screen].filter(isPaced);
      counts = new Map(
        paced.map(({ releaseId }) => [releaseId, counts.get(releaseId) ?? countedOf(manifest, releaseId, screen)]),
      );
    },
    choose: (paced, at, last, hasFill) =>
      paced.length > 0 ? chooser(paced, at, { counts: withRunning(), last, hasFill }) : undefined,
    begun(turn, programme, at) {
      const { releaseId } = programme;
      // Turns are counted anew after an empty screen: a spot that broke off may have had the same one.
      if (running?.turn === turn && running.releaseId === releaseId) return;
      running = isPaced(programme) ? { turn, releaseId, at } : undefined;
    },
    played() {
      counts = withRunning();
      running = undefined;
      keep(Object.fromEntries(counts));
    },
  };
}
