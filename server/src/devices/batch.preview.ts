import { isDeepStrictEqual } from 'node:util';
import {
  BATCH_CHANGES_MAX,
  type BatchChange,
  type BatchOrder,
  type DeviceBatch,
  extendedExpiry,
  TAGS_MAX,
  changedTags,
  splitTags,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { matches, type ResolvedFilter } from './devices.service.ts';

/** Devices of one value of what a batch changes. */
interface Group {
  value: string | null;
  /** The time zone on which the new value depends. */
  zone: string;
  devices: number;
}

/** Lists what a batch would change and which of the named devices are not in scope. Nothing is changed. */
export async function previewBatch(
  db: Db,
  viewer: Viewer,
  chosen: { ids: string[] } | { filter: ResolvedFilter },
  order: BatchOrder,
): Promise<DeviceBatch> {
  const condition =
    'ids' in chosen
      ? sql<boolean>`(d.id = any(${chosen.ids}::uuid[]) and ${inScope(viewer, sql`d.owner_id`)})`
      : matches(viewer, chosen.filter);
  const { rows } = await sql<Group>`
    select ${valueIn(order)} as value, ${zoneIn(order)} as zone, count(*) as devices
    from devices_now d where ${condition} group by 1, 2`.execute(db);
  const to = await targetOf(db, order);
  const changes = rows.map(({ value, zone, devices }) => ({ from: value, to: to(value, zone), devices }));
  const missing = 'ids' in chosen ? await missingAmong(db, viewer, chosen.ids) : [];
  const isChange = ({ from, to: next }: BatchChange) => from !== next;
  return {
    done: count(changes),
    failed: missing.map((id) => ({ id, error: 'NOT_FOUND' })),
    preview: {
      changes: merged(changes.filter(isChange)),
      unchanged: count(changes.filter((change) => !isChange(change))),
      earlier: isExpiry(order) ? count(changes.filter(isEarlier)) : 0,
    },
  };
}

const isExpiry = ({ action }: BatchOrder): boolean => action === 'expire' || action === 'extend';

/** A device that does not expire yet would. */
const isEarlier = ({ from, to }: BatchChange): boolean => to !== null && (from === null || to < from);

/** The value of a device `d` that a batch changes. */
function valueIn({ action }: BatchOrder): RawBuilder<string | null> {
  switch (action) {
    case 'expire':
    case 'extend':
      return sql`d.expires_on::text`;
    case 'timeZone':
      return sql`d.time_zone`;
    case 'tag':
      return sql`array_to_string(d.tags, ', ')`;
    case 'hours':
      return sql`d.working_hours::text`;
    case 'reassign':
      return sql`(select u.username from users u where u.id = d.owner_id)`;
    case 'rename':
    case 'clear':
    case 'restart':
    case 'delete':
      return sql`null::text`;
  }
}

/** The time zone of a device `d` on which its new value depends: the one that it returns to, or the present one. */
const zoneIn = ({ action }: BatchOrder): RawBuilder<string> =>
  action === 'timeZone' ? sql`coalesce(d.reported_zone, d.time_zone)` : sql`d.time_zone`;

/** The value that a batch gives a device. */
async function targetOf(db: Db, order: BatchOrder): Promise<(value: string | null, zone: string) => string | null> {
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
    case 'hours': {
      const { workingHours } = order;
      const text = workingHours && JSON.stringify(workingHours);
      return (value) => (isDeepStrictEqual(value && JSON.parse(value), workingHours) ? value : text);
    }
    case 'reassign': {
      const owner = await db.selectFrom('users').select('username').where('id', '=', order.ownerId).executeTakeFirst();
      return () => owner?.username ?? null;
    }
    case 'rename':
    case 'clear':
    case 'restart':
    case 'delete':
      return (value) => value;
  }
}

const count = (changes: readonly BatchChange[]): number => changes.reduce((sum, { devices }) => sum + devices, 0);

/** Equal changes as one, the most frequent first. */
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
