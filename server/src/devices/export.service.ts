import { AppError, type DeviceFilter, EXPORT_MAX_ROWS, SHEET_MAX_ROWS } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import type { Messages } from '@ams/contract/messages/en';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { messagesFor } from '../platform/http/messages.ts';
import { inScope } from '../platform/auth/scope.ts';
import {
  type Cell,
  type SheetTime,
  sheetsOf,
  type WrittenCell,
  writeXls,
} from '../platform/spreadsheets/spreadsheet.ts';
import { matches, type ResolvedFilter, resolveFilter } from './devices.service.ts';
import { headsIn } from './sheet-heads.ts';

type Words = Messages['sheets'];

/** A time in UTC. */
const minute = (at: Date | null): SheetTime | null => at && { at: at.toISOString().slice(0, 16).replace('T', ' ') };

/** Devices that a filter shows, or those of these ids. */
export type Chosen = { filter: DeviceFilter } | { ids: string[] };

type Resolved = { filter: ResolvedFilter } | { ids: string[] };

const chosenBy = (viewer: Viewer, chosen: Resolved) =>
  'ids' in chosen
    ? sql<boolean>`(d.id = any(${chosen.ids}::uuid[]) and ${inScope(viewer, sql`d.owner_id`)})`
    : matches(viewer, chosen.filter);

const selectRows = (db: Db, viewer: Viewer, chosen: Resolved) =>
  db
    .selectFrom('devices_now as d')
    .innerJoin('users as owner', 'owner.id', 'd.owner_id')
    .select(['d.mac', 'd.name', 'owner.username', 'd.expires_on', 'd.area', 'd.address', 'd.tags'])
    .select(['d.online', 'd.done', 'd.failed', 'd.time_zone', 'd.player_version', 'd.created_at'])
    .select(sql<Date | null>`case when d.online then now() else d.last_seen_at end`.as('seen'))
    .where(chosenBy(viewer, chosen))
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(EXPORT_MAX_ROWS + 1);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

/** The first columns are those of an import, so that an export can be corrected and sent back. */
const headsOf = (messages: Messages): Cell[] => {
  const { connection, lastSeen, content, timeZone, playerVersion, added } = messages.sheets;
  return [...headsIn(messages), connection, lastSeen, content, timeZone, playerVersion, added];
};

function contentOf({ done, failed }: Row, words: Words): string {
  if (done) return words.contentDone;
  return failed ? words.contentFailed : words.contentWaiting;
}

const cellsOf = (row: Row, words: Words): WrittenCell[] => [
  row.mac,
  row.name,
  row.username,
  row.expires_on === null ? words.never : { at: row.expires_on },
  row.tags.join(', '),
  row.area,
  row.address,
  row.online ? words.online : words.offline,
  minute(row.seen),
  contentOf(row, words),
  row.time_zone,
  row.player_version,
  minute(row.created_at),
];

/** The chosen devices in scope as an .xls file, as many a sheet as an import takes. */
export async function exportDevices(
  { db, sandbox }: Pick<Deps, 'db' | 'sandbox'>,
  viewer: Viewer,
  chosen: Chosen,
  language: string | undefined,
): Promise<Buffer> {
  const messages = messagesFor(language);
  const rows = await actingAs(db, viewer, {}, async (trx, actor) => {
    const resolved = 'ids' in chosen ? chosen : { filter: await resolveFilter(trx, actor, chosen.filter) };
    return selectRows(trx, actor, resolved).execute();
  });
  if (rows.length > EXPORT_MAX_ROWS) throw new AppError('EXPORT_TOO_LARGE', { max: EXPORT_MAX_ROWS });
  const cells = rows.map((row) => cellsOf(row, messages.sheets));
  return writeXls(sandbox, sheetsOf('devices', headsOf(messages), cells));
}

/** The file to fill in: the headings, and on a second sheet what to write below them. */
export function importTemplate({ sandbox }: Pick<Deps, 'sandbox'>, language: string | undefined): Promise<Buffer> {
  const messages = messagesFor(language);
  const { help, helpMac, helpName, helpOwner, helpExpires, helpArea, helpAddress, helpTags, helpRows } =
    messages.sheets;
  const rows = fillMessage(helpRows, { max: SHEET_MAX_ROWS });
  const lines = [helpMac, helpName, helpOwner, helpExpires, helpTags, helpArea, helpAddress, rows];
  return writeXls(sandbox, [
    { name: 'devices', rows: [headsIn(messages)] },
    { name: help, rows: [[help], ...lines.map((line) => [line])] },
  ]);
}
