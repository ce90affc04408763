import { Worker } from 'node:worker_threads';
import { AppError, type ErrorName, type Language, neutralText } from '@ams/contract';
import type { SentFile } from './sent-file.ts';
import { Turns } from './turns.ts';

export type Cell = string | number | null;

/** One sheet to write; its first row holds the headings. */
export interface Sheet {
  name: string;
  rows: Cell[][];
}

/** A row as it stood in a file: `row` counts from 1; dates as `YYYY-MM-DD`, other numbers as they are. */
export interface ReadRow {
  row: number;
  cells: Cell[];
}

export interface ReadSheet {
  name: string;
  rows: ReadRow[];
}

export interface ReadJob {
  bytes: Uint8Array;
  extension: string;
  language: Language;
  maxRows: number;
}

/** What the reading thread answers. */
export type ReadAnswer =
  | { kind: 'sheets'; sheets: ReadSheet[] }
  | { kind: 'refused'; error: Extract<ErrorName, 'BAD_SPREADSHEET' | 'SPREADSHEET_PROTECTED' | 'UNSUPPORTED_FORMAT'> };

/** Far more than the largest file within the limits takes; what needs more is made to harm. */
const READ_MS = 30_000;
const READ_HEAP_MB = 512;
/** Threads of this process that read or write at the same time; others wait their turn. */
const THREADS = 2;

/** Sheets as a true .xls file (BIFF8). Written in a thread of its own: 20,000 rows take seconds. */
export async function writeXls(sheets: Sheet[]): Promise<Buffer> {
  const workerData = sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => row.map(neutralCell)) }));
  const bytes = await answerOf<Uint8Array>(
    () => new Worker(new URL('spreadsheet.worker.ts', import.meta.url), { workerData }),
  );
  return Buffer.from(bytes);
}

const neutralCell = (cell: Cell): Cell => (typeof cell === 'string' ? neutralText(cell) : cell);

/**
 * The sheets of an .xls, .xlsx or .csv file with at most `maxRows` rows each; its content decides which it is,
 * and formulas are what they last came to. Throws what the error catalogue says of other files.
 */
export async function readSheets(
  file: SentFile,
  { formats, ...rest }: { formats: readonly string[]; language: Language; maxRows: number },
): Promise<ReadSheet[]> {
  const extension = /\.[^.]*$/.exec(file.name.toLowerCase())?.[0] ?? '';
  const workerData: ReadJob = { bytes: file.bytes, extension, ...rest };
  const answer = await answerOf<ReadAnswer>(
    () =>
      new Worker(new URL('spreadsheet-reader.worker.ts', import.meta.url), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: READ_HEAP_MB },
      }),
    READ_MS,
  ).catch((error: unknown) => {
    if (isTooHeavy(error)) throw new AppError('SPREADSHEET_HEAVY');
    throw error;
  });
  if (answer.kind === 'sheets') return answer.sheets;
  throw new AppError(answer.error, answer.error === 'UNSUPPORTED_FORMAT' ? { t: formats.join(', ') } : undefined);
}

class TookTooLong extends Error {}

/** The thread was ended for its time, or by Node for its memory (https://nodejs.org/api/errors.html). */
const isTooHeavy = (error: unknown): boolean =>
  error instanceof TookTooLong ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

const turns = new Turns(THREADS);

/** The one message of a thread, which is started when its turn comes and ended after `limit` milliseconds. */
const answerOf = <T>(start: () => Worker, limit?: number): Promise<T> =>
  turns.take(async () => {
    const worker = start();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('a spreadsheet thread ended without an answer')));
    const timer = limit === undefined ? undefined : setTimeout(() => reject(new TookTooLong()), limit);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  });

/** Rows as comma-separated values (RFC 4180) in UTF-8, marked as such for spreadsheet programs. */
export const writeCsv = (rows: Cell[][]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => `${row.map((cell) => csvCell(neutralCell(cell))).join(',')}\r\n`).join('')}`);

const csvCell = (cell: Cell): string => {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
