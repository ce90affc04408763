import { Worker } from 'node:worker_threads';

export type Cell = string | number | null;

/** A text that a spreadsheet program would take for a formula is made plain text. */
export const neutralCell = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;

/** Rows (the first one holds the headings) as a true .xls file (BIFF8). Written in a thread of its own. */
export function writeXls(sheet: string, rows: Cell[][]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('spreadsheet.worker.ts', import.meta.url), {
      workerData: { sheet, rows: rows.map((row) => row.map(neutralCell)) },
    });
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    worker.once('error', reject);
  });
}
