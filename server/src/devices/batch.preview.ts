import { isDeepStrictEqual } from 'node:util';
import {
  BATCH_CHANGES_MAX,
  type BatchChange,
  type BatchOrder,
  type DeviceBatch,
  extendedExpiry,
  fitsNumbered,
  LEVEL_KEYS,
  NAME_NUMBER,
  TAGS_MAX,
  changedTags,
  splitTags,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { invalidField } from '../platform/http/errors.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { levelsIn } from './levels.ts';
import { matches, type ResolvedFilter } from './devices.service.ts';

/** Devices of one value of what a batch changes. */
interface Group {
  value: string | null;
  /** The time zone on which the new value depends. */
  zone: string;
  devices: number;
}

/** Devices by id or by a filter. */
type Chosen = { ids: string[] } | { filter: ResolvedFilter };

/** The effect of an order on the devices in scope, of which there are `done`. */
type Effect = Required<Pick<DeviceBatch, 'done' | 'preview'>>;

/** Every order but that of names, which depend on the place of each device. */
type ValueOrder = Exclude<BatchOrder, { action: 'rename' }>;

/** Lists what a batch would change and which of the named devices are not in scope. Nothing is changed. */
export async function previewBatch(db: Db, viewer: Viewer, chosen: Chosen, order: BatchOrder): Promise<DeviceBatch> {
  const effect =
    order.action === 'rename'
      ? await effectOnNames(db, viewer, chosen, order.name)
      : await effectOnValues(db, viewer, chosen, order);
  const missing = 'ids' in chosen ? await missingAmong(db, viewer, chosen.ids) : [];
  return { ...effect, failed: missing.map((id) => ({ id, error: 'NOT_FOUND' })) };
}

async function effectOnValues(db: Db, viewer: Viewer, chosen: Chosen, order: ValueOrder): Promise<Effect> {
  const condition =
    'ids' in chosen
      ? sql<boolean>`(d.id = any(${chosen.ids}::uuid[]) and ${inScope(viewer, sql`d.owner_id`)})`
      : matches(viewer, chosen.filter);
  const { rows } = await sql<Group>`
    select ${valueIn(order)} as value, ${zoneIn(order)} as zone, count(*) as devices
    from devices_now d where ${condition} group by 1, 2 order by 1, 2`.execute(db);
  const to = await targetOf(db, order);
  const changes = rows.map(({ value, zone, devices }) => ({ from: value, to: to(value, zone), devices }));
  const isChange = ({ from, to: next }: BatchChange) => from !== next;
  return {
    done: count(changes),
    preview: {
      changes: merged(changes.filter(isChange)),
      unchanged: count(changes.filter((change) => !isChange(change))),
      earlier: isExpiry(order) ? count(changes.filter(isEarlier)) : 0,
    },
  };
}

/**
 * Refuses a name that is too long with the numbers of `total` devices.
 * @throws {AppError} `INVALID`
 */
export function requireNumbered(name: string, total: number): void {
  if (!fitsNumbered(name, total)) throw invalidField('name', 'name.numbered');
}

/** Numbers and names as `insertNamed`, `insertMatching` and `namesOf` give them; a device without a name has its MAC. */
async function effectOnNames(db: Db, viewer: Viewer, chosen: Chosen, name: string): Promise<Effect> {
  const placed =
    'ids' in chosen
      ? sql`select d.name, d.mac, n.place, ${chosen.ids.length}::int as total
          from unnest(${chosen.ids}::uuid[]) with ordinality n(id, place)
          join devices d on d.id = n.id and ${inScope(viewer, sql`d.owner_id`)}`
      : sql`select d.name, d.mac, row_number() over (order by d.created_at desc, d.id desc) as place,
            count(*) over () as total
          from devices_now d where ${matches(viewer, chosen.filter)}`;
  const { rows } = await sql<{ changes: BatchChange[]; unchanged: number; devices: number; total: number }>`
    with renamed as materialized (
      select coalesce(nullif(name, ''), upper(mac)) as "from", name = renamed.to as same, place, total, renamed.to
      from (${placed}) placed,
        lateral (select replace(${name}, ${NAME_NUMBER}, lpad(place::text, length(total::text), '0')) as to) renamed
    ), changes as (
      select "from", "to", count(*) as devices from renamed where not same
      group by 1, 2 order by count(*) desc, min(place) limit ${sql.lit(BATCH_CHANGES_MAX)}
    )
    select count(*) as devices, count(*) filter (where same) as unchanged, coalesce(max(total), 0)::int as total,
      (select coalesce(jsonb_agg(changes), '[]') from changes) as changes
    from renamed`.execute(db);
  const { changes, unchanged, devices, total } = rows[0] ?? { changes: [], unchanged: 0, devices: 0, total: 0 };
  requireNumbered(name, total);
  return { done: devices, preview: { changes, unchanged, earlier: 0 } };
}

const isExpiry = ({ action }: ValueOrder): boolean => action === 'expire' || action === 'extend';

/** A device that does not expire yet would. */
const isEarlier = ({ from, to }: BatchChange): boolean => to !== null && (from === null || to < from);

const LEVEL_COLUMNS = {
  volume: sql`d.volume`,
  volumeHours: sql`d.volume_hours`,
  brightness: sql`d.brightness`,
  brightnessHours: sql`d.brightness_hours`,
} as const satisfies Record<(typeof LEVEL_KEYS)[number], RawBuilder<unknown>>;

/** Names of the ads that a device `d` loses when what is released to it is taken back; null: there are none. */
const releasedTo = sql<string | null>`
  (select string_agg(distinct a.name, ', ' order by a.name)
    from release_devices rd
    join releases r on r.id = rd.release_id and r.withdrawn_at is null and r.priority <> 'default'
    join ads a on a.id = r.ad_id
    where rd.device_id = d.id and rd.withdrawn_at is null)`;

/** JSON that says the same stays as it is written. */
const jsonTarget = (wanted: unknown) => {
  const text = wanted === null ? null : JSON.stringify(wanted);
  return (value: string | null) =>
    isDeepStrictEqual(value === null ? null : JSON.parse(value), wanted) ? value : text;
};

/** The value of a device `d` that a batch changes. */
function valueIn(order: ValueOrder): RawBuilder<string | null> {
  switch (order.action) {
    case 'expire':
    case 'extend':
      return sql`d.expires_on::text`;
    case 'timeZone':
      return sql`d.time_zone`;
    case 'tag':
      return sql`array_to_string(d.tags, ', ')`;
    case 'hours':
      return sql`d.working_hours::text`;
    case 'levels':
      return sql`jsonb_build_object(${sql.join(
        LEVEL_KEYS.flatMap((key) => (order[key] === undefined ? [] : [sql.lit(key), LEVEL_COLUMNS[key]])),
      )})::text`;
    case 'reassign':
      return sql`(select u.username from users u where u.id = d.owner_id)`;
    case 'clear':
    case 'delete':
      return releasedTo;
    case 'restart':
      return sql`null::text`;
  }
}

/** The time zone of a device `d` on which its new value depends: the one that it returns to, or the present one. */
const zoneIn = ({ action }: ValueOrder): RawBuilder<string> =>
  action === 'timeZone' ? sql`coalesce(d.reported_zone, d.time_zone)` : sql`d.time_zone`;

/** The value that a batch gives a device. */
async function targetOf(db: Db, order: ValueOrder): Promise<(value: string | null, zone: string) => string | null> {
  switch (order.action) {
    case 'expire':
      return () => order.date;
    case 'extend':
      return (value, zone) => extendedExpiry(value, order.months, zone, Date.now());
    case 'timeZone':
      return (_value, reported) => order.timeZone ?? reported;
    case 'tag':
      return (value) => {
        const tags = changedTags(splitTags(value ?? ''), order.add ?? [], order.remove ?? []);
        return tags.length > TAGS_MAX ? value : tags.join(', ');
      };
    case 'hours':
      return jsonTarget(order.workingHours);
    case 'levels':
      return jsonTarget(levelsIn(order));
    case 'reassign': {
      const owner = await db.selectFrom('users').select('username').where('id', '=', order.ownerId).executeTakeFirst();
      return () => owner?.username ?? null;
    }
    case 'clear':
    case 'delete':
      return () => null;
    case 'restart':
      return (value) => value;
  }
}

const count = (changes: readonly BatchChange[]): number => changes.reduce((sum, { devices }) => sum + devices, 0);

/** Equal changes as one, the most frequent first; equally frequent ones stay in their order. */
function merged(changes: BatchChange[]): BatchChange[] {
  const groups = Map.groupBy(changes, ({ from, to }) => JSON.stringify([from, to])).values();
  return [...groups]
    .flatMap((group) => group.slice(0, 1).map(({ from, to }) => ({ from, to, devices: count(group) })))
    .toSorted((a, b) => b.devices - a.devices)
    .slice(0, BATCH_CHANGES_MAX);
}

async function missingAmong(db: Db, viewer: Viewer, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id from unnest(${ids}::uuid[]) with ordinality n(id, place)
    where not exists (select from devices d where d.id = n.id and ${inScope(viewer, sql`d.owner_id`)})
    order by n.place`.execute(db);
  return rows.map(({ id }) => id);
}
