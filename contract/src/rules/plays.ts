import { contentOf, type Programme } from '../player.ts';

/** A play may begin this much before the one in its region ended: the next item is asked for before its first frame. */
export const PLAY_OVERLAP_MS = 1000;
/** A play may last longer than its item by this: pictures decode, videos wait for their bytes. */
export const PLAY_OVERTIME_MS = 10_000;
/** A play takes at least this, whatever it reports: otherwise any number of them would fit into one moment. */
export const SHORTEST_PLAY_MS = 100;

/** A play as far as it needs room on its screen. Milliseconds since 1970, and milliseconds. */
export interface Showing {
  at: number;
  durationMs: number;
  screen: string;
  releaseId: string;
  /** The regions of its release in which it may have been, as `placesOf` gives them. */
  places: readonly string[];
}

/**
 * The regions in which each file of a programme may play. A report does not contain the region: if regions share a file,
 * a play cannot be attributed to one of them, so all their files fit in any of them.
 */
export function placesOf(regions: Programme['regions']): Map<string, string[]> {
  const groups: { places: string[]; files: Set<string> }[] = [];
  for (const [region, items] of Object.entries(regions)) {
    const files = new Set(items.map(contentOf));
    const shared = groups.filter((group) => [...group.files].some((file) => files.has(file)));
    for (const group of shared) groups.splice(groups.indexOf(group), 1);
    groups.push({
      places: [...shared.flatMap(({ places }) => places), region],
      files: new Set([...shared.flatMap((group) => [...group.files]), ...files]),
    });
  }
  return new Map(groups.flatMap(({ places, files }) => [...files].map((file) => [file, places] as const)));
}

/** When each place of a screen is free: a release has its regions, and another release waits for all of them. */
interface Stage {
  /** The end of the last play in each place, by release and region. */
  free: Map<string, number>;
  /** The last end of a release's plays, by release. */
  ends: Map<string, number>;
}

const lengthOf = ({ durationMs }: Showing): number => Math.max(durationMs, SHORTEST_PLAY_MS);

/** The place that is free first, and when the play can begin there at the earliest. */
function roomFor({ free, ends }: Stage, { releaseId, places }: Showing): { key: string; from: number } {
  const keys = places.map((place) => `${releaseId} ${place}`);
  const key = keys.reduce((best, each) => ((free.get(each) ?? 0) < (free.get(best) ?? 0) ? each : best), keys[0] ?? '');
  const others = [...ends].filter(([id]) => id !== releaseId).map(([, end]) => end);
  return { key, from: Math.max(free.get(key) ?? 0, ...others) };
}

function put({ free, ends }: Stage, showing: Showing, { key, from }: { key: string; from: number }): void {
  const end = Math.max(from, showing.at) + lengthOf(showing);
  free.set(key, end);
  ends.set(showing.releaseId, Math.max(ends.get(showing.releaseId) ?? 0, end));
  // Plays that ended long before this one cannot overlap it.
  for (const [id, last] of ends) if (last < showing.at - PLAY_OVERLAP_MS) ends.delete(id);
}

const fits = (showing: Showing, { from }: { from: number }): boolean => from <= showing.at + PLAY_OVERLAP_MS;

const copyOf = ({ free, ends }: Stage): Stage => ({ free: new Map(free), ends: new Map(ends) });

/** Whether known plays, from the one at `first` on, keep their room when the stage is taken as it is. */
function keepRoom(stage: Stage, known: readonly Showing[], first: number): boolean {
  const ahead = copyOf(stage);
  for (const next of known.slice(first)) {
    // Nothing is pushed any further.
    if (next.at >= Math.max(...ahead.ends.values())) return true;
    const room = roomFor(ahead, next);
    if (!fits(next, room)) return false;
    put(ahead, next, room);
  }
  return true;
}

/**
 * Which reported plays fit beside the known ones and each other. Ordered by start and placed end to end, none may be moved
 * by more than `PLAY_OVERLAP_MS`: two plays of a region never overlap by more, and their total never exceeds the elapsed
 * time by more. A screen shows one release at a time.
 */
export function haveRoom(known: readonly Showing[], reported: readonly Showing[]): boolean[] {
  const result = reported.map(() => false);
  for (const screen of new Set(reported.map((each) => each.screen))) {
    const past = known.filter((each) => each.screen === screen).toSorted((a, b) => a.at - b.at);
    const turns = reported
      .flatMap((showing, index) => (showing.screen === screen ? [{ showing, index }] : []))
      .toSorted((a, b) => a.showing.at - b.showing.at);
    const stage: Stage = { free: new Map(), ends: new Map() };
    let next = 0;
    for (const { showing, index } of turns) {
      for (let before = past[next]; before && before.at <= showing.at; before = past[next]) {
        put(stage, before, roomFor(stage, before));
        next += 1;
      }
      const room = roomFor(stage, showing);
      if (!fits(showing, room)) continue;
      const taken = copyOf(stage);
      put(taken, showing, room);
      if (!keepRoom(taken, past, next)) continue;
      put(stage, showing, room);
      result[index] = true;
    }
  }
  return result;
}
