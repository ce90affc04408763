import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { usePrinting } from '../layout/printing.ts';

const allOf = ({ count }: Range): number[] => Array.from({ length: count }, (_, index) => index);

/** Which rows of a virtual list are drawn: those in view, and on paper all. */
export const useRange = (): ((range: Range) => number[]) => (usePrinting() ? allOf : defaultRangeExtractor);
