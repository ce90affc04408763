import { plainDigits } from '@ams/contract';

/** A mark before three digits that end with zero separates thousands, unless the number is less than one. */
const THOUSANDS = /^(?!0+\D)\d+[.,٫]\d\d0$/;

/**
 * A number as people type it, with a point: '12,50', '١٢٫٥٠' and '１２．５０' are '12.50'. Other texts keep or get a comma for the schema
 * to refuse: '1,000' and '1.000' would otherwise be one instead of a thousand.
 */
export function decimalOf(text: string): string {
  const plain = plainDigits(text).replaceAll(/\s/g, '');
  if (THOUSANDS.test(plain)) return plain.replace('.', ',');
  const marks = plain.match(/[.,٫]/g) ?? [];
  return marks.length === 1 ? plain.replace(/[,٫]/, '.') : plain;
}
