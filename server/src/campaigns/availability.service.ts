import {
  AppError,
  type Availability,
  BOOKED_WITHIN_MS,
  type campaigns,
  CONFLICTS_MAX,
  freeByHour,
} from '@ams/contract';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import { ownerInScope } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { requireFuture, requireLeft, requirePlays } from './campaigns.service.ts';
import { nameDevices } from './capacity.queries.ts';
import { spotOf } from './creatives.service.ts';
import { findParts } from './flight.ts';
import { afterLastDay, isAsked, largest, type Measured, measureInTurns, pledge } from './pledge.ts';
import { reach, writerOf } from './target.service.ts';

/** The devices with the least room, the fullest first. */
async function bottlenecksOf(
  db: Db,
  measured: readonly Measured[],
  isSeen: boolean,
): Promise<Availability['bottlenecks']> {
  const fullest = measured
    .filter(isAsked)
    .toSorted((a, b) => a.free - b.free)
    .flatMap(({ ids, free, expiresOn }) =>
      ids.slice(0, CONFLICTS_MAX).map((id) => ({ id, free, expiresAt: expiresOn })),
    )
    .slice(0, CONFLICTS_MAX);
  if (!isSeen) return fullest.map(({ free }) => ({ device: null, free, expiresAt: null }));
  const names = await nameDevices(
    db,
    fullest.map(({ id }) => id),
  );
  return fullest.map(({ id, ...room }) => ({ device: names.get(id) ?? null, ...room }));
}

/** Finds the time that is free for a campaign that is being written. Throws `NOT_FOUND`, `NO_DEVICES`, `NO_PLAYS`, `EMPTY_AD`, `INVALID` (it is over). */
export async function findAvailability(
  deps: Deps,
  viewer: Viewer,
  { campaignId, adIds, devices, schedule, goal, customerId }: z.output<typeof campaigns.availability.body>,
): Promise<Availability> {
  requireFuture(schedule);
  const by = campaignId === undefined ? viewer : await writerOf(deps.db, viewer, campaignId, devices);
  const target = { devices, by, customerId: await ownerInScope(deps.db, viewer, customerId) };
  const [spotMs, { chosen, isSeen }] = await Promise.all([spotOf(deps, viewer, adIds), reach(deps.db, viewer, target)]);
  const left = requireLeft(await findParts(deps.db, chosen, schedule, Date.now() + BOOKED_WITHIN_MS));
  const measured = await measureInTurns(left, afterLastDay(goal));
  if (measured.length === 0) throw new AppError('NO_DEVICES');
  const { isFeasible, plays } = pledge(goal, spotMs, measured);
  requirePlays({ isFeasible, plays });
  return {
    feasible: isFeasible,
    largest: largest(goal.kind, spotMs, measured),
    devices: measured.reduce((sum, { ids }) => sum + ids.length, 0),
    spotMs,
    plays,
    free: freeByHour(measured),
    bottlenecks: await bottlenecksOf(deps.db, measured, isSeen),
  };
}
