import {
  Address,
  Area,
  DEVICE_NAME_MAX,
  hasVisible,
  isExpired,
  isFormulaError,
  parseMac,
  plainText,
  type RejectReason,
  TAGS_MAX,
  isTag,
  splitTags,
} from '@ams/contract';
import type { Cell, ReadRow } from '../platform/spreadsheets/spreadsheet.ts';
import { readDate } from './sheet-dates.ts';
import { type Column, type Places, saysNever } from './sheet-heads.ts';
import { UNKNOWN_ZONE } from './time-zone.service.ts';

/** A raw row of the file. */
export interface TypedRow {
  row: number;
  mac: string;
  name: string;
  owner: string;
  expires: string;
  area: string;
  address: string;
  tags: string;
}

/** A device to add. The default owner is the importer, the default expiry the trial period. */
export interface WantedDevice {
  typed: TypedRow;
  mac: string;
  name: string;
  owner: string | undefined;
  expires: string | null | undefined;
  area: string | null;
  address: string | null;
  tags: string[];
}

export interface Refused {
  typed: TypedRow;
  reason: RejectReason;
  details?: Record<string, unknown>;
}

/** The digits after those of the maker, of which at least one is not 0: a smaller number is not the rest of a MAC. */
const DEVICE_DIGITS = 6;

/** A spreadsheet program takes a MAC of digits alone for a number and drops its leading zeros. */
function macText(cell: Cell): string {
  if (typeof cell !== 'number') return cell ?? '';
  const digits = String(cell);
  return digits.length > DEVICE_DIGITS ? digits.padStart(12, '0') : digits;
}

function typedRow({ row, cells }: ReadRow, places: Places): TypedRow {
  const at = (column: Column): Cell => {
    const place = places[column];
    return place === undefined ? null : (cells[place] ?? null);
  };
  const text = (column: Column): string => plainText(String(at(column) ?? '').trim());
  return {
    row,
    mac: plainText(macText(at('mac')).trim()),
    name: text('name'),
    owner: text('owner'),
    expires: text('expires'),
    area: text('area'),
    address: text('address'),
    tags: text('tags'),
  };
}

function judge(typed: TypedRow, first: ReadonlyMap<string, number>, now: number): WantedDevice | Refused {
  const refuse = (reason: RejectReason, details?: Record<string, unknown>): Refused => ({
    typed,
    reason,
    ...(details && { details }),
  });
  if (typed.mac === '') return refuse('macMissing');
  const mac = parseMac(typed.mac);
  if (mac === undefined) return refuse('macInvalid');
  if (first.has(mac)) return refuse('macTwice', { first: first.get(mac) });
  if (typed.name.length > DEVICE_NAME_MAX) return refuse('nameLong');
  if (typed.name !== '' && !hasVisible(typed.name)) return refuse('nameInvisible');
  if (isFormulaError(typed.name)) return refuse('nameError');
  if ([typed.area, typed.address, typed.tags].some(isFormulaError)) return refuse('cellError');
  if (typed.area !== '' && !Area.safeParse(typed.area).success) return refuse('areaInvalid');
  if (typed.address !== '' && !Address.safeParse(typed.address).success) return refuse('addressInvalid');
  const tags = splitTags(typed.tags).toSorted();
  if (!tags.every(isTag)) return refuse('tagInvalid');
  if (tags.length > TAGS_MAX) return refuse('tooManyTags');
  const place = { area: typed.area || null, address: typed.address || null };
  const wanted = { typed, mac, name: typed.name, owner: typed.owner || undefined, tags, ...place };
  if (typed.expires === '') return { ...wanted, expires: undefined };
  if (saysNever(typed.expires)) return { ...wanted, expires: null };
  const date = readDate(typed.expires);
  if (date === undefined) return refuse('dateInvalid');
  return isExpired(date, UNKNOWN_ZONE, now) ? refuse('datePast') : { ...wanted, expires: date };
}

/** Requested devices of the rows, and rows that are invalid in any case. */
export function judgeRows(
  rows: readonly ReadRow[],
  places: Places,
  now: number,
): { wanted: WantedDevice[]; refused: Refused[] } {
  const first = new Map<string, number>();
  const wanted: WantedDevice[] = [];
  const refused: Refused[] = [];
  for (const each of rows) {
    const typed = typedRow(each, places);
    // A row without values in these columns counts as empty.
    const { row: _row, ...texts } = typed;
    if (Object.values(texts).every((text) => text === '')) continue;
    const judged = judge(typed, first, now);
    if ('reason' in judged) refused.push(judged);
    else {
      first.set(judged.mac, typed.row);
      wanted.push(judged);
    }
  }
  return { wanted, refused };
}
