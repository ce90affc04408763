import './player.tables.ts';
import {
  haveRoom,
  placesOf,
  PLAY_OVERTIME_MS,
  type Play,
  type PlayRefusal,
  type Programme,
  SHORTEST_PLAY_MS,
  type Showing,
} from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { PlayerLinks } from './links.ts';

/** A device's clock may be wrong by this much, either way. */
const CLOCK_ERROR_MS = 10 * 60_000;
/** Plays before a reported one are looked at as far back as this at least, and as the longest item lasts. */
const LOOK_BACK_MS = 10 * 60_000;

/** An item that a device can play: a file of a release on a screen. Instants in milliseconds since 1970. */
interface Item {
  id: number;
  releaseId: string;
  sha256: string;
  screen: string;
  lengthMs: number | null;
  startedAt: number;
  /** Its plays add to the spots of a campaign. */
  isSpot: boolean;
}

interface Known extends Pick<Item, 'id' | 'releaseId' | 'sha256' | 'screen'> {
  at: number;
  durationMs: number;
}

/** A reported play of something that was on the device. */
interface Possible {
  index: number;
  item: Item;
  at: number;
  durationMs: number;
}

/** Why each play does not count, by index, and the indexes of plays that are on record already. */
export interface Judged {
  refusals: readonly (PlayRefusal | undefined)[];
  repeated: ReadonlySet<number>;
}

type CorrectStarts = Pick<PlayerLinks, 'correctStarts'>;

const keyOf = ({ releaseId, sha256, screen }: Pick<Item, 'releaseId' | 'sha256' | 'screen'>): string =>
  `${releaseId} ${sha256} ${screen}`;

/** Instants in milliseconds since 1970, by the clock of the database. */
export interface Recall {
  now: number;
  /** Plays that began then or earlier are no longer on record; null: all are. */
  forgottenTo: number | null;
}

/**
 * Why each reported play does not count; undefined where it does. Plays that are on record already (`repeated`, by index)
 * count as they did. The reports of a device come here one after the other.
 */
export async function judgePlays(
  trx: Db,
  links: CorrectStarts,
  deviceId: string,
  plays: readonly Play[],
  { now, forgottenTo }: Recall,
): Promise<Judged> {
  const refusals: (PlayRefusal | undefined)[] = plays.map(() => undefined);
  const items = await itemsOf(trx, links, deviceId, plays, now);
  const possible: Possible[] = [];
  for (const [index, play] of plays.entries()) {
    const item = items.get(keyOf(play));
    const at = Date.parse(play.at);
    const durationMs = Math.min(play.durationMs, (item?.lengthMs ?? Infinity) + PLAY_OVERTIME_MS);
    if (!item) refusals[index] = 'unknown';
    else if (at + durationMs > now + CLOCK_ERROR_MS) refusals[index] = 'future';
    else if (at < item.startedAt - CLOCK_ERROR_MS) refusals[index] = 'early';
    else if (item.isSpot && durationMs < Math.min(SHORTEST_PLAY_MS, item.lengthMs ?? Infinity))
      refusals[index] = 'short';
    else possible.push({ index, item, at, durationMs });
  }
  const known = await knownAround(trx, deviceId, possible);
  const fresh: Possible[] = [];
  for (const each of withoutKnown(possible, known)) {
    if (forgottenTo !== null && each.at <= forgottenTo) refusals[each.index] = 'forgotten';
    else fresh.push(each);
  }
  const places = await placesIn(trx, [...known, ...fresh.map(({ item }) => item)]);
  const toShowing = (item: Pick<Item, 'releaseId' | 'sha256' | 'screen'>, at: number, durationMs: number): Showing => ({
    at,
    durationMs,
    screen: item.screen,
    releaseId: item.releaseId,
    places: places.get(item.releaseId)?.get(item.sha256) ?? [''],
  });
  const room = haveRoom(
    known.map((each) => toShowing(each, each.at, each.durationMs)),
    fresh.map(({ item, at, durationMs }) => toShowing(item, at, durationMs)),
  );
  for (const [nth, { index }] of fresh.entries()) if (!room[nth]) refusals[index] = 'overlap';
  const isFresh = new Set(fresh.map(({ index }) => index));
  const repeated = possible.flatMap(({ index }) =>
    isFresh.has(index) || refusals[index] !== undefined ? [] : [index],
  );
  return { refusals, repeated: new Set(repeated) };
}

/** Reported items that the device had, by key. */
async function itemsOf(
  trx: Db,
  links: CorrectStarts,
  deviceId: string,
  plays: readonly Play[],
  now: number,
): Promise<Map<string, Item>> {
  const named = new Map(
    plays.map(({ releaseId, sha256, screen }) => [keyOf({ releaseId, sha256, screen }), { releaseId, sha256, screen }]),
  );
  const { rows } = await sql<Item>`
    select i.id, i.release_id as "releaseId", i.sha256, i.screen, i.length_ms as "lengthMs",
      i.spot_part is not null as "isSpot",
      floor(extract(epoch from rd.started_at) * 1000)::bigint as "startedAt"
    from jsonb_to_recordset(${JSON.stringify([...named.values()])}::jsonb) as p("releaseId" uuid, sha256 text, screen text)
      join release_devices rd on rd.release_id = p."releaseId" and rd.device_id = ${deviceId} and rd.started_at is not null
      join play_items i on i.release_id = p."releaseId" and i.sha256 = p.sha256 and i.screen = p.screen`.execute(trx);
  if (rows.some(({ startedAt }) => startedAt > now + CLOCK_ERROR_MS)) {
    // The clock was set back since: an item that plays has started, whatever is on record.
    const since = Math.min(now, ...plays.map(({ at }) => Date.parse(at)));
    await links.correctStarts(trx, deviceId, new Date(since), new Date(now + CLOCK_ERROR_MS));
    for (const row of rows) if (row.startedAt > now + CLOCK_ERROR_MS) row.startedAt = since;
  }
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Stretches of time that hold these plays and what may last into them, apart from each other. */
function spansOf(possible: readonly Possible[], longestMs: number): { from: number; to: number }[] {
  const backMs = Math.max(longestMs + PLAY_OVERTIME_MS, LOOK_BACK_MS);
  const spans: { from: number; to: number }[] = [];
  for (const { at, durationMs } of possible.toSorted((a, b) => a.at - b.at)) {
    const [from, to] = [at - backMs, at + durationMs + PLAY_OVERTIME_MS];
    const last = spans.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** How long the longest item lasts that ever played on the device, in milliseconds. */
async function longestOn(trx: Db, deviceId: string): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select max(i.length_ms) as ms from release_devices rd join play_items i on i.release_id = rd.release_id
    where rd.device_id = ${deviceId}`.execute(trx);
  return rows[0]?.ms ?? 0;
}

/** The plays on record around these, in order. */
async function knownAround(trx: Db, deviceId: string, possible: readonly Possible[]): Promise<Known[]> {
  if (possible.length === 0) return [];
  const spans = spansOf(possible, await longestOn(trx, deviceId));
  const { rows } = await sql<Known>`
    select i.id, i.release_id as "releaseId", i.sha256, i.screen,
      floor(extract(epoch from k.at) * 1000)::bigint as at, k.duration_ms as "durationMs"
    from unnest(${spans.map(({ from }) => new Date(from))}::timestamptz[], ${spans.map(({ to }) => new Date(to))}::timestamptz[])
        as span(first, last)
      join plays k on k.device_id = ${deviceId} and k.at >= span.first and k.at <= span.last
      join play_items i on i.id = k.item_id
    order by k.at`.execute(trx);
  return rows;
}

/** The plays that are not on record: of several that are alike, so many more as came. */
function withoutKnown(possible: readonly Possible[], known: readonly Known[]): Possible[] {
  const recorded = new Map<string, number>();
  const alike = (id: number, at: number): string => `${id} ${at}`;
  for (const { id, at } of known) recorded.set(alike(id, at), (recorded.get(alike(id, at)) ?? 0) + 1);
  return possible.filter(({ item, at }) => {
    const left = recorded.get(alike(item.id, at)) ?? 0;
    recorded.set(alike(item.id, at), left - 1);
    return left <= 0;
  });
}

/** The regions in which the files of these releases may play, by release and file, from their frozen copies. */
async function placesIn(
  trx: Db,
  items: readonly Pick<Item, 'releaseId'>[],
): Promise<Map<string, ReturnType<typeof placesOf>>> {
  const ids = [...new Set(items.map(({ releaseId }) => releaseId))];
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom('releases')
    .select('id')
    .select(sql<Programme['regions']>`coalesce(programme -> 'regions', '{}')`.as('regions'))
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, regions }) => [id, placesOf(regions)]));
}
