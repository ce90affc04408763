import { read, utils } from '@e965/xlsx';

/** The rows of the first sheet of a spreadsheet, as programs show them. */
export function rowsOf(bytes: Uint8Array): string[][] {
  const { SheetNames, Sheets } = read(bytes);
  const sheet = Sheets[SheetNames[0] ?? ''];
  if (!sheet) throw new Error('no sheet');
  return utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '', raw: false });
}
