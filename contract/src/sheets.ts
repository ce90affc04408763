import { z } from 'zod';

/** Accepted formats and size of an import; the content determines the format. */
export const SHEET_FORMATS = ['.xls', '.xlsx', '.ods', '.csv'] as const;
export const SHEET_MAX_BYTES = 5 * 2 ** 20;
export const SHEET_MAX_ROWS = 20_000;
/** An export of more rows is refused. */
export const EXPORT_MAX_ROWS = 100_000;

export const RejectReason = z.enum([
  'macMissing',
  'macInvalid',
  'macTwice',
  'macTaken',
  'nameLong',
  'nameInvisible',
  'nameError',
  'cellError',
  'areaInvalid',
  'addressInvalid',
  'tagInvalid',
  'tooManyTags',
  'ownerUnknown',
  'dateInvalid',
  'datePast',
]);
export type RejectReason = z.output<typeof RejectReason>;

/** A row that was not added, as it was in the file. `row` counts as spreadsheet programs do: the headings are row 1. */
export const RejectedRow = z.object({
  row: z.number().int(),
  mac: z.string(),
  name: z.string(),
  owner: z.string(),
  expires: z.string(),
  area: z.string(),
  address: z.string(),
  tags: z.string(),
  reason: RejectReason,
  /** The reason in the reader's language. */
  message: z.string(),
});
export type RejectedRow = z.output<typeof RejectedRow>;

export const ImportResult = z.object({ added: z.number().int(), rejected: z.array(RejectedRow) });
export type ImportResult = z.output<typeof ImportResult>;
