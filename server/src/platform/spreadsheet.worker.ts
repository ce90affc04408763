import { parentPort, workerData } from 'node:worker_threads';
import { utils, write } from '@e965/xlsx';
import { z } from 'zod';

const Cell = z.union([z.string(), z.number(), z.null()]);
const Sheets = z.array(z.object({ name: z.string(), rows: z.array(z.array(Cell)) }));

const WIDTH_MIN = 10;
const WIDTH_MAX = 60;
/** Columns are as wide as what stands in the first rows. */
const MEASURED_ROWS = 200;

const widthsOf = (rows: z.output<typeof Cell>[][]) =>
  (rows[0] ?? []).map((_, column) => {
    const lengths = rows.slice(0, MEASURED_ROWS).map((row) => String(row[column] ?? '').length);
    return { wch: Math.min(Math.max(...lengths, WIDTH_MIN) + 1, WIDTH_MAX) };
  });

const book = utils.book_new();
for (const { name, rows } of Sheets.parse(workerData)) {
  const sheet = utils.aoa_to_sheet(rows, { dense: true });
  sheet['!cols'] = widthsOf(rows);
  utils.book_append_sheet(book, sheet, name);
}
const bytes: Uint8Array = write(book, { bookType: 'biff8', type: 'buffer' });
parentPort?.postMessage(bytes);
