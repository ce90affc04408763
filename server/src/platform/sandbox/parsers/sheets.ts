import { type CellObject, read, SSF, type WorkBook } from '@e965/xlsx';
import { type CsvRow, decodeText, isTable, parseCsv } from './csv.ts';
import { toStorable } from '../../database/unstorable.ts';
import type { Cell, ReadAnswer, ReadRow, ReadSheet } from '../answers.ts';
import type { AppInput } from '../tasks.ts';
import { ZipFile, zipInMemory } from './zip.ts';

const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
/** All parts of a workbook with 20,000 rows inflate to a fraction of this. */
const INFLATED_MAX_BYTES = 64 * 2 ** 20;
/** Files with these names are never text. */
const BOOKS: ReadonlySet<string> = new Set(['.xls', '.xlsx', '.ods']);
const COLUMNS_MAX = 100;
const TEXT_MAX = 1000;
/** Twenty columns of the most rows that an import takes. */
const CELLS_MAX = 400_000;
const CHARACTERS_MAX = 16 * 2 ** 20;

const refused = (error: Extract<ReadAnswer, { kind: 'refused' }>['error']): ReadAnswer => ({ kind: 'refused', error });

/** Type of these bytes, determined by content only. */
function readFile({ bytes, extension, language, maxRows }: AppInput<'readSheets'>): ReadAnswer {
  const file = Buffer.from(bytes);
  if (file.subarray(0, ZIP.length).equals(ZIP)) return readZipped(file, maxRows);
  if (file.subarray(0, COMPOUND.length).equals(COMPOUND)) return readBook(file, maxRows);
  if (BOOKS.has(extension)) return refused('BAD_SPREADSHEET');
  const text = decodeText(file, language);
  if (!isTable(text)) return refused('UNSUPPORTED_FORMAT');
  return { kind: 'sheets', sheets: [{ name: '', rows: parseCsv(text, maxRows).map(stored) }] };
}

const stored = ({ row, cells }: CsvRow): ReadRow => ({
  row,
  cells: cells.slice(0, COLUMNS_MAX).map((text) => toStorable(text.slice(0, TEXT_MAX)) || null),
});

const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const MANIFEST = 'META-INF/manifest.xml';
const TYPE_MAX_BYTES = 100;

/** Whether an archive is an .ods file (OpenDocument 1.3 Part 2 §3.3: its type is its first member). */
const isOds = (zip: ZipFile): boolean =>
  zip.has('mimetype') && zip.has('content.xml') && zip.read('mimetype', TYPE_MAX_BYTES).toString().trim() === ODS;

/** Whether an .ods file has a password (OpenDocument 1.3 Part 2 §4.3). */
const isLocked = (zip: ZipFile): boolean =>
  zip.has(MANIFEST) && zip.read(MANIFEST, INFLATED_MAX_BYTES).includes('encryption-data');

/** A cell with a content that it repeats (OpenDocument 1.3 Part 3 §19.679). */
const REPEATED = /<table:table-cell\b[^>]*\bnumber-columns-repeated="(\d+)"[^>]*[^/]>/g;
const REPEATED_MAX = 1000;

/** Whether an .ods file has cells that a few bytes repeat more often than anybody types them. */
const repeatsMuch = (zip: ZipFile): boolean => {
  const content = zip.read('content.xml', INFLATED_MAX_BYTES).toString();
  return [...content.matchAll(REPEATED)].some(([, times]) => Number(times) > REPEATED_MAX);
};

/** An .xlsx or .ods file, once it is known that all of it inflates to what can be read. */
function readZipped(file: Buffer, maxRows: number): ReadAnswer {
  try {
    const zip = new ZipFile(zipInMemory(file));
    const ods = isOds(zip);
    if (!ods && !zip.has('xl/workbook.xml')) return refused('UNSUPPORTED_FORMAT');
    zip.check(INFLATED_MAX_BYTES);
    if (ods && isLocked(zip)) return refused('SPREADSHEET_PROTECTED');
    if (ods && repeatsMuch(zip)) return refused('SPREADSHEET_HEAVY');
  } catch {
    return refused('BAD_SPREADSHEET');
  }
  return readBook(file, maxRows);
}

function readBook(file: Buffer, maxRows: number): ReadAnswer {
  try {
    const book = read(file, { dense: true, cellFormula: false, cellHTML: false, cellText: false, cellNF: true });
    return { kind: 'sheets', sheets: sheetsOf(book, maxRows) };
  } catch (error) {
    const locked = error instanceof Error && /password/i.test(error.message);
    return refused(locked ? 'SPREADSHEET_PROTECTED' : 'BAD_SPREADSHEET');
  }
}

/** The sheets that a person sees. */
function sheetsOf(book: WorkBook, maxRows: number): ReadSheet[] {
  const date1904 = book.Workbook?.WBProps?.date1904 ?? false;
  const seen = book.SheetNames.filter((_, index) => !book.Workbook?.Sheets?.[index]?.Hidden);
  return seen.map((name) => {
    const data: (CellObject | undefined)[][] = book.Sheets[name]?.['!data'] ?? [];
    const rows: ReadSheet['rows'] = [];
    // Rows without a cell are holes, which `forEach` skips however many there are.
    data.forEach((row, index) => {
      if (rows.length >= maxRows) return;
      const cells = row.slice(0, COLUMNS_MAX);
      const values = Array.from(cells, (cell) => valueOf(cell, date1904));
      if (values.some((cell) => cell !== null)) rows.push({ row: index + 1, cells: values });
    });
    return { name, rows };
  });
}

/** Whether there is more than the server should take over at once. */
function isHeavy(sheets: ReadSheet[]): boolean {
  let cells = 0;
  let characters = 0;
  for (const cell of sheets.flatMap(({ rows }) => rows).flatMap((row) => row.cells)) {
    cells += 1;
    if (typeof cell === 'string') characters += cell.length;
  }
  return cells > CELLS_MAX || characters > CHARACTERS_MAX;
}

/** Errors of formulas by their numbers ([MS-XLS] 2.5.10), as programs show them. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);
const UNKNOWN_ERROR = '#N/A';
const SCIENTIFIC = /0E[+-]/i;

/** The last displayed value of a cell: text, a number, or a date as `YYYY-MM-DD`; formulas are not evaluated. */
function valueOf(cell: CellObject | undefined, date1904: boolean): Cell {
  const value = cell?.v;
  if (cell === undefined || value === undefined || value === '') return null;
  if (cell.t === 'e') return ERRORS.get(Number(value)) ?? UNKNOWN_ERROR;
  if (typeof value !== 'number') return toStorable(String(value).slice(0, TEXT_MAX));
  const format = typeof cell.z === 'string' ? cell.z : '';
  // Programs take a MAC such as 02005e000001 for 2005 million: its digits are lost.
  if (SCIENTIFIC.test(format)) return value.toExponential();
  return SSF.is_date(format) === true ? dateOf(value, date1904) : value;
}

const DAY = 86_400_000;
/** Day 0 of the two calendars that spreadsheets count in (ECMA-376 Part 1 §18.17.4.1). */
const DAY_0 = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) };

function dateOf(serial: number, date1904: boolean): Cell {
  const date = new Date((date1904 ? DAY_0.from1904 : DAY_0.from1900) + Math.floor(serial) * DAY);
  return Number.isNaN(date.getTime()) ? serial : date.toISOString().slice(0, 10);
}

/** The sheets of a file with at most `maxRows` rows each; formulas are what they last came to. */
export async function readSheets(input: AppInput<'readSheets'>): Promise<ReadAnswer> {
  const answer = readFile(input);
  return answer.kind === 'sheets' && isHeavy(answer.sheets) ? refused('SPREADSHEET_HEAVY') : answer;
}
