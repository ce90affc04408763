import { makeDiscardingStore } from '@ams/fleet/discard';
import type { Faults } from '@ams/fleet/faults';
import { type SimulatedDevice, makeSimulatedDevice } from '@ams/fleet/device';
import { openRoster } from '@ams/fleet/roster';
import { PLACES, type Part, type Place } from './cast.ts';

/** Fault of a device in this role. */
const FAULTS: Partial<Record<Part, Faults>> = {
  flaps: { flapMs: 60_000 },
  slow: { slowBytes: 600 },
  diskFull: { diskBytes: 12 * 2 ** 20 },
  corrupt: { corruptPercent: 100 },
};

/** The devices of the demo that are switched on. */
export interface Running {
  devices: ReadonlyMap<Place, SimulatedDevice>;
  /** Switches those off that play these parts; resolves when the last call has been answered. */
  stop(chosen: (place: Place) => boolean): Promise<void>;
}

/** Starts the devices in `chosen`. Their identities are stored in `stateFile`. */
export async function startDevices(
  server: string,
  enrolmentKey: string,
  stateFile: string,
  chosen: (place: Place) => boolean,
): Promise<Running> {
  const roster = await openRoster(stateFile, PLACES.length);
  const running = PLACES.filter(chosen).flatMap((place) => {
    const member = roster[place.number - 1];
    if (!member) return [];
    const device = makeSimulatedDevice(member, {
      server,
      enrolmentKey,
      operator: undefined,
      faults: FAULTS[place.part] ?? {},
      screen: place.screen,
      openStore: async (_, onBytes) => makeDiscardingStore(onBytes),
    });
    const end = new AbortController();
    return [{ place, device, end, ended: device.run(end.signal) }];
  });
  return {
    devices: new Map(running.map(({ place, device }) => [place, device])),
    async stop(which) {
      const leaving = running.filter(({ place }) => which(place));
      for (const { end } of leaving) end.abort();
      await Promise.all(leaving.map(({ ended }) => ended));
    },
  };
}
