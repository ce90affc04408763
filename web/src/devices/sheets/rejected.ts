import { neutralText, type RejectedRow } from '@ams/contract';

/** A cell of separated values (RFC 4180), always quoted; a text that a program would run is made plain. */
const cell = (text: string): string => `"${neutralText(text).replaceAll('"', '""')}"`;

/** With the byte order mark, spreadsheet programs read UTF-8. */
const MARK = '\uFEFF';

/** Rows that did not go in, as a .csv file to correct and import again; `heads` name the columns. */
export const rejectedCsv = (heads: readonly string[], rows: readonly RejectedRow[]): string =>
  MARK +
  [
    heads,
    ...rows.map((row) => [row.mac, row.name, row.owner, row.expires, row.tags, row.area, row.address, row.message]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');
