import { AppError, type ImportResult, acceptLanguage, SHEET_FORMATS, SHEET_MAX_ROWS } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { messagesFor } from '../platform/http/messages.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { SentFile } from '../platform/http/body-file.ts';
import { type ReadRow, readSheets } from '../platform/spreadsheets/spreadsheet.ts';
import { deletedMacs } from './deleted-macs.ts';
import { expiries, noteOperator, tellOperators, type Touched, trialEnd } from './devices.service.ts';
import type { StandingLinks } from './links.ts';
import { belowHeads, headsIn, type Places } from './sheet-heads.ts';
import { judgeRows, type Refused, type WantedDevice } from './sheet-rows.ts';
import { UNKNOWN_ZONE } from './time-zone.service.ts';

/** Rows that go in together: enough to be quick, and few enough for others not to wait. */
const CHUNK = 1000;
/** Room for a title above the headings. */
const ROWS_TO_READ = SHEET_MAX_ROWS + 50;

/**
 * Adds the devices of a spreadsheet and returns the reason for every row that was not added. Rows count for
 * themselves: what is wrong with one keeps no other out. `language` is an `Accept-Language` header.
 */
export async function importDevices(
  deps: Pick<Deps, 'db' | 'config' | 'processId' | 'sandbox'> & { links: StandingLinks },
  viewer: Viewer,
  file: SentFile,
  language: string | undefined,
): Promise<ImportResult> {
  const { places, rows } = await readTable(deps, file, language);
  const { wanted, refused } = judgeRows(rows, places, Date.now());
  const lineId = uuidv7();
  let added = 0;
  // One transaction even without rows. Each records the rows up to its own: they stay when a later one fails.
  for (let start = 0; start === 0 || start < wanted.length; start += CHUNK) {
    const chunk = wanted.slice(start, start + CHUNK);
    // Counted once, however often the transaction is run again.
    const rejected = await actingAs(deps.db, viewer, { role: 'leading' }, async (trx, actor) => {
      const ofChunk = await addChunk(deps, trx, actor, chunk);
      const count = added + chunk.length - ofChunk.length;
      const details = { file: file.name, count, rejected: refused.length + ofChunk.length };
      await audit(trx, viewer, { id: lineId, action: 'devices.import', details });
      return ofChunk;
    });
    refused.push(...rejected);
    added += chunk.length - rejected.length;
  }
  const { imports } = messagesFor(language);
  const rejected = refused
    .toSorted((a, b) => a.typed.row - b.typed.row)
    .map(({ typed, reason, details: values }) => ({ ...typed, reason, message: fillMessage(imports[reason], values) }));
  return { added, rejected };
}

/** The one sheet with a column of MAC addresses. */
async function readTable(
  deps: Pick<Deps, 'db' | 'processId' | 'sandbox'>,
  file: SentFile,
  language: string | undefined,
): Promise<{ places: Places; rows: readonly ReadRow[] }> {
  const heads = headsIn(messagesFor(language)).join(', ');
  if (file.bytes.length === 0) throw new AppError('SPREADSHEET_EMPTY');
  const sheets = await readSheets(deps, file, {
    formats: SHEET_FORMATS,
    language: acceptLanguage(language),
    maxRows: ROWS_TO_READ,
  });
  if (sheets.every(({ rows }) => rows.length === 0)) throw new AppError('SPREADSHEET_EMPTY');
  const tables = sheets.flatMap(({ name, rows }) => {
    const table = belowHeads(rows);
    return table ? [{ name, ...table }] : [];
  });
  if (tables.length === 0) throw new AppError('SPREADSHEET_HEADS', { heads });
  const [table, another] = tables.filter(({ rows }) => rows.length > 0);
  if (!table) throw new AppError('SPREADSHEET_EMPTY');
  if (another) throw new AppError('SPREADSHEET_SHEETS', { sheets: [table.name, another.name] });
  if (table.rows.length > SHEET_MAX_ROWS) throw new AppError('TOO_MANY_ROWS', { max: SHEET_MAX_ROWS });
  return table;
}

/** Adds the new ones of these devices in one statement and returns the others. */
async function addChunk(
  { config, links }: Pick<Deps, 'config'> & { links: StandingLinks },
  trx: Db,
  viewer: Viewer,
  wanted: readonly WantedDevice[],
): Promise<Refused[]> {
  const owners = await ownersOf(trx, viewer, wanted);
  const ownerOf = ({ owner }: WantedDevice) => (owner === undefined ? viewer.id : owners.get(owner.toLowerCase()));
  const known = wanted.filter((device) => ownerOf(device) !== undefined);
  const trial = trialEnd(config, UNKNOWN_ZONE);
  const before = await deletedMacs(
    trx,
    known.map(({ mac }) => mac),
  );
  /** The value of the sheet; without one, the value that the MAC had before it was deleted. */
  const dateOf = ({ mac, expires }: WantedDevice): string | null => {
    if (expires !== undefined) return expires;
    const deleted = before.get(mac);
    return deleted ? deleted.expiresOn : trial;
  };
  const expiryOf = expiries();
  const rows = known.map((device) => ({
    id: uuidv7(),
    mac: device.mac,
    name: device.name,
    area: device.area,
    address: device.address,
    tags: device.tags,
    owner_id: ownerOf(device),
    ...expiryOf({ expiresOn: dateOf(device), timeZone: UNKNOWN_ZONE }),
  }));
  await links.shareStanding(trx);
  const added = await insertDevices(trx, viewer, rows);
  await links.matchDevices(
    trx,
    added.map(({ id }) => id),
  );
  await tellOperators(trx, added);
  const macs = new Set(added.map(({ mac }) => mac));
  return wanted.flatMap((device): Refused[] => {
    if (ownerOf(device) === undefined) return [{ typed: device.typed, reason: 'ownerUnknown' }];
    return macs.has(device.mac) ? [] : [{ typed: device.typed, reason: 'macTaken' }];
  });
}

/** Inserts the rows whose MAC is free, and returns them. */
async function insertDevices(trx: Db, viewer: Viewer, rows: object[]): Promise<(Touched & { mac: string })[]> {
  const { rows: added } = await sql<Touched & { mac: string }>`
    insert into devices (id, mac, name, area, address, tags, owner_id, time_zone, expires_on, expires_at)
    select id, mac, name, area, address, tags, owner_id, ${UNKNOWN_ZONE}, expires_on, expires_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, mac text, name text, area text, address text, tags text[], owner_id uuid, expires_on date, expires_at timestamptz)
    order by mac
    on conflict (mac) do nothing returning id, owner_id, mac`.execute(trx);
  await noteOperator(
    trx,
    added.map(({ id }) => id),
    viewer.id,
  );
  return added;
}

/** Ids of the owners in scope that these rows name, by name; they stay until the rows are in. */
async function ownersOf(trx: Db, viewer: Viewer, wanted: readonly WantedDevice[]): Promise<Map<string, string>> {
  const names = [...new Set(wanted.flatMap(({ owner }) => (owner === undefined ? [] : [owner.toLowerCase()])))];
  const rows = await trx
    .selectFrom('users as u')
    .select(['u.id', 'u.username_key'])
    .where(sql<boolean>`u.username_key = any(${names}::text[])`)
    .where('u.colleague_of', 'is', null)
    .where(inScope(viewer, sql`u.id`))
    .orderBy('u.id')
    .forKeyShare()
    .execute();
  return new Map(rows.map((row) => [row.username_key, row.id]));
}
