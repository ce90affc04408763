/** The zeros of the digits that people of these languages type: Latin, Arabic, Persian. */
const ZEROS = [0x30, 0x660, 0x6f0];

const digitOf = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? letter : String(code - zero);
};

/** A mark before three digits that end with zero separates thousands, unless the number is less than one. */
const THOUSANDS = /^(?!0+\D)\d+[.,٫]\d\d0$/;

/**
 * A number as people type it, with a point: '12,50' and '١٢٫٥٠' are '12.50'. Other texts keep or get a comma for the schema
 * to refuse: '1,000' and '1.000' would otherwise be one instead of a thousand.
 */
export function decimalOf(text: string): string {
  const plain = Array.from(text.trim().replaceAll(/\s/g, ''), digitOf).join('');
  if (THOUSANDS.test(plain)) return plain.replace('.', ',');
  const marks = plain.match(/[.,٫]/g) ?? [];
  return marks.length === 1 ? plain.replace(/[,٫]/, '.') : plain;
}
