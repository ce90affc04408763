/**
 * Separated values as spreadsheet programs write them. By hand, because the spreadsheet library takes any
 * text for whatever format its first letters resemble, and turns cells into dates and numbers.
 */

/** Encodings of older spreadsheet programs by language (WHATWG names); default: Western European. */
const OLD_ENCODINGS: Partial<Record<string, string>> = {
  zh: 'gb18030',
  ja: 'shift_jis',
  ko: 'euc-kr',
  ru: 'windows-1251',
  ar: 'windows-1256',
  tr: 'windows-1254',
  vi: 'windows-1258',
};

/** The text of a file, by its byte order mark, as UTF-8, or as what the reader's language was written in before. */
export function decodeText(bytes: Uint8Array, language: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(OLD_ENCODINGS[language] ?? 'windows-1252').decode(bytes);
  }
}

/** Whether a text is one that people could have typed: neither markup nor what a program keeps for itself. */
export const isTable = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- these characters distinguish other files
  !/[\0-\x08\x0e-\x1f\x7f\ufffd]/.test(text) && !/^\s*(<|%PDF|\{)/.test(text);

const SEPARATORS = [',', ';', '\t', '|'];

/** The most frequent separator in the first line that has one, without quoted parts: a title above the headings may have none. */
function separatorOf(text: string): string {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named !== undefined) return named;
  const [line = ''] = /^.*[,;\t|].*$/m.exec(text.replace(/"(?:[^"]|"")*"/g, '')) ?? [];
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** One row with the line that it begins in; both count from 1. */
export interface CsvRow {
  row: number;
  cells: string[];
}

/**
 * Rows of separated values (RFC 4180; any of the usual separators, any line end). A row that spans several
 * lines is one row, as in a spreadsheet program. Ends after `limit` rows that are not blank.
 */
export function parseCsv(text: string, limit: number): CsvRow[] {
  const separator = separatorOf(text);
  const body = text.replace(/^sep=.\r?\n/i, '');
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let number = 1;
  let at = 0;
  while (at < body.length && rows.length < limit) {
    const cell = cellAt(body, at, separator);
    cells.push(cell.text);
    at = cell.end;
    if (body[at] === separator) {
      at += 1;
      if (at < body.length) continue;
      cells.push('');
    }
    if (cells.some((each) => each.trim() !== '')) rows.push({ row: number, cells });
    cells = [];
    number += 1;
    at += body.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows;
}

/** The cell that begins at `at`, and the position of its end. */
function cellAt(body: string, at: number, separator: string): { text: string; end: number } {
  if (body[at] !== '"') {
    const end = endOfPlain(body, at, separator);
    return { text: body.slice(at, end), end };
  }
  let text = '';
  let from = at + 1;
  for (;;) {
    const quote = body.indexOf('"', from);
    if (quote < 0) return { text: text + body.slice(from), end: body.length };
    text += body.slice(from, quote);
    if (body[quote + 1] !== '"') {
      // Text after the closing quote without a separator belongs to the cell.
      const end = endOfPlain(body, quote + 1, separator);
      return { text: text + body.slice(quote + 1, end), end };
    }
    text += '"';
    from = quote + 2;
  }
}

function endOfPlain(body: string, at: number, separator: string): number {
  let end = at;
  while (end < body.length && body[end] !== separator && body[end] !== '\n' && body[end] !== '\r') end += 1;
  return end;
}
