import { parentPort, workerData } from 'node:worker_threads';
import { utils, write } from '@e965/xlsx';

const { sheet, rows } = workerData as { sheet: string; rows: (string | number | null)[][] };
const book = utils.book_new();
utils.book_append_sheet(book, utils.aoa_to_sheet(rows), sheet);
const bytes: Uint8Array = write(book, { bookType: 'biff8', type: 'buffer' });
parentPort?.postMessage(bytes);
