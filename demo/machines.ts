import { makeDiscardingStore } from '../fleet/src/discard.ts';
import type { Faults } from '../fleet/src/faults.ts';
import { type SimulatedMachine, makeSimulatedMachine } from '../fleet/src/machine.ts';
import { openRoster } from '../fleet/src/roster.ts';
import { PLACES, type Part, type Place } from './cast.ts';

/** What is wrong with a machine that plays this part. */
const FAULTS: Partial<Record<Part, Faults>> = {
  flaps: { flapMs: 60_000 },
  slow: { slowBytes: 600 },
  diskFull: { diskBytes: 12 * 2 ** 20 },
  corrupt: { corruptPercent: 100 },
};

/** The machines of the demo that are switched on. */
export interface Running {
  machines: ReadonlyMap<Place, SimulatedMachine>;
  /** Switches those off that play these parts; resolves when the last call has been answered. */
  stop(chosen: (place: Place) => boolean): Promise<void>;
}

/** Switches on the machines that `chosen` names. Who they are is kept in `stateFile`. */
export async function startMachines(
  server: string,
  enrolmentKey: string,
  stateFile: string,
  chosen: (place: Place) => boolean,
): Promise<Running> {
  const roster = await openRoster(stateFile, PLACES.length);
  const running = PLACES.filter(chosen).flatMap((place) => {
    const member = roster[place.number - 1];
    if (!member) return [];
    const machine = makeSimulatedMachine(member, {
      server,
      enrolmentKey,
      operator: undefined,
      faults: FAULTS[place.part] ?? {},
      screen: place.screen,
      openStore: async (_, onBytes) => makeDiscardingStore(onBytes),
    });
    const end = new AbortController();
    return [{ place, machine, end, ended: machine.run(end.signal) }];
  });
  return {
    machines: new Map(running.map(({ place, machine }) => [place, machine])),
    async stop(which) {
      const leaving = running.filter(({ place }) => which(place));
      for (const { end } of leaving) end.abort();
      await Promise.all(leaving.map(({ ended }) => ended));
    },
  };
}
