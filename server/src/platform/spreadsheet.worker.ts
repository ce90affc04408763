import { parentPort, workerData } from 'node:worker_threads';
import { utils, write } from '@e965/xlsx';
import { z } from 'zod';

const Sheet = z.object({
  sheet: z.string(),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});
const { sheet, rows } = Sheet.parse(workerData);
const book = utils.book_new();
utils.book_append_sheet(book, utils.aoa_to_sheet(rows), sheet);
const bytes: Uint8Array = write(book, { bookType: 'biff8', type: 'buffer' });
parentPort?.postMessage(bytes);
