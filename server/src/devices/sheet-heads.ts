import type { Messages } from '@ams/contract/messages/en';
import { ALL_MESSAGES } from '../platform/http/messages.ts';
import type { Cell, ReadRow } from '../platform/spreadsheets/spreadsheet.ts';

/** The columns of an import. */
export const COLUMNS = ['mac', 'name', 'owner', 'expires', 'tags', 'area', 'address'] as const;
export type Column = (typeof COLUMNS)[number];

/** Position of each column; missing columns are omitted. */
export type Places = { mac: number } & Partial<Record<Column, number>>;

/** Headings that people write themselves, beside those of the template in every language. */
const OTHER_WRITINGS: Record<Column, string[]> = {
  mac: ['mac', 'mac address', 'device mac'],
  name: ['name', 'device name'],
  owner: ['owner', 'user', 'username', 'owner name'],
  expires: ['expires', 'expiry', 'expiry date', 'expires at', 'expiration date'],
  area: ['area', 'city', 'district', 'region'],
  address: ['address', 'street', 'street address'],
  tags: ['tags', 'tag', 'labels', 'label'],
};

/** A text without case, accents, spaces and signs. */
export const bareWord = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const KNOWN = new Map<string, Column>(
  COLUMNS.flatMap((column) =>
    [...ALL_MESSAGES.map(({ sheets }) => sheets[column]), ...OTHER_WRITINGS[column]].map((text): [string, Column] => [
      bareWord(text),
      column,
    ]),
  ),
);

const NEVER = new Set(ALL_MESSAGES.map(({ sheets }) => bareWord(sheets.never)));

/** Whether a cell means, in any of the languages, that a device does not expire. */
export const saysNever = (text: string): boolean => NEVER.has(bareWord(text));

/** The columns that a row of headings names; undefined when MAC addresses are not among them. */
export function placesOf(cells: readonly Cell[]): Places | undefined {
  const places: Partial<Record<Column, number>> = {};
  cells.forEach((cell, index) => {
    const column = KNOWN.get(bareWord(String(cell ?? '')));
    if (column) places[column] ??= index;
  });
  const { mac, ...others } = places;
  return mac === undefined ? undefined : { mac, ...others };
}

/** A title, a date and an empty line may precede the headings. */
const HEADS_WITHIN = 10;

/** The headings of a sheet and the rows below them. */
export function belowHeads(rows: readonly ReadRow[]): { places: Places; rows: ReadRow[] } | undefined {
  for (const [index, { cells }] of rows.slice(0, HEADS_WITHIN).entries()) {
    const places = placesOf(cells);
    if (places) return { places, rows: rows.slice(index + 1) };
  }
  return undefined;
}

/** The headings of the template in one language. */
export const headsIn = ({ sheets }: Messages): string[] => COLUMNS.map((column) => sheets[column]);
