import { usePrinting } from '../ui/layout/printing.ts';

/** Rows of a list of figures until all are asked for, or printed. */
const ROWS_SHOWN = 50;

/** The rows that are shown. */
export function useShown<T>(rows: readonly T[], isWhole: boolean): readonly T[] {
  const isPrinting = usePrinting();
  return isWhole || isPrinting ? rows : rows.slice(0, ROWS_SHOWN);
}
