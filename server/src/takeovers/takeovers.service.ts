import { type Takeover, type takeovers, TAKEOVER_DAYS_MAX } from '@ams/contract';
import type { z } from 'zod';
import { frozenAd } from '../ads/ads.service.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, requireActor } from '../platform/auth/authority.ts';
import { invalidField } from '../platform/http/errors.ts';
import type { Deps } from '../platform/process/deps.ts';
import {
  type Begun,
  endTakeover,
  getTakeover,
  sendTakeover,
  settleBegun,
  startTakeover,
} from '../releases/takeover.service.ts';
import { withCode } from '../session/second-factor.service.ts';

const DAY_MS = 86_400_000;
const LEADING = { role: 'leading' } as const;

const MINUTE_MS = 60_000;

type End = Pick<z.output<typeof takeovers.create.body>, 'until' | 'minutes'>;

/** The end of a takeover. Throws `INVALID` when it is missing, has passed or is too far ahead. */
function endOf({ until, minutes }: End): Date {
  if (minutes !== undefined) return new Date(Date.now() + minutes * MINUTE_MS);
  if (until === undefined) throw invalidField('until', 'takeover.until');
  const end = new Date(until);
  const inMs = end.getTime() - Date.now();
  if (inMs <= 0) throw invalidField('until', 'takeover.past');
  if (inMs > TAKEOVER_DAYS_MAX * DAY_MS) throw invalidField('until', 'takeover.days');
  return end;
}

/** Takes over now, which needs a code where the viewer has a second factor, or prepares devices, which does not. */
export async function createTakeover(
  deps: Deps,
  viewer: Viewer,
  { adId, updatedAt, code, until, minutes, prepare, ...order }: z.output<typeof takeovers.create.body>,
): Promise<Takeover> {
  const end = prepare ? null : endOf({ until, minutes });
  const send = async (trx: Deps['db'], actor: Viewer) => {
    const { ad, frozen } = await frozenAd(deps, trx, actor, adId, updatedAt);
    return sendTakeover(trx, actor, ad, frozen, order, end);
  };
  if (end !== null) return starting(deps, viewer, code, send);
  const { id } = await actingAs(deps.db, viewer, LEADING, send);
  return getTakeover(deps.db, viewer, id);
}

/**
 * Starts a takeover with a code where the viewer has a second factor. Its devices are notified before manifests change,
 * and before they are counted.
 */
async function starting(
  { db, log }: Deps,
  viewer: Viewer,
  code: string | undefined,
  start: (trx: Deps['db'], actor: Viewer & Actor) => Promise<Begun>,
): Promise<Takeover> {
  const begun = await withCode(db, viewer, code, async (trx) =>
    start(trx, { ...viewer, ...(await requireActor(trx, viewer.id, { ...LEADING, person: viewer.person })) }),
  );
  // It has started; what fails now is done within a minute.
  await settleBegun(db, begun).catch((error: unknown) => log.warn({ err: error }, 'takeover not settled'));
  return getTakeover(db, viewer, begun.id);
}

/** Starts a prepared takeover. */
export function beginTakeover(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { code, ...given }: z.output<typeof takeovers.start.body>,
): Promise<Takeover> {
  const end = endOf(given);
  return starting(deps, viewer, code, (trx, actor) => startTakeover(trx, actor, id, end));
}

/** Ends a takeover, or discards a prepared one. Its devices are notified before they are counted. */
export async function stopTakeover({ db }: Deps, viewer: Viewer, id: string): Promise<Takeover> {
  await actingAs(db, viewer, LEADING, (trx, actor) => endTakeover(trx, actor, id));
  return getTakeover(db, viewer, id);
}
