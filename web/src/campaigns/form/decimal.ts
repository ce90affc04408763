/** The zeros of the digits that people of these languages type: Latin, Arabic, Persian. */
const ZEROS = [0x30, 0x660, 0x6f0];

const digitOf = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? letter : String(code - zero);
};

/** A number as people type it, with a point: '12,50' and '١٢٫٥٠' are '12.50'. Other texts stay for the schema to refuse. */
export function decimalOf(text: string): string {
  const plain = Array.from(text.trim().replaceAll(/\s/g, ''), digitOf).join('');
  const marks = plain.match(/[.,٫]/g) ?? [];
  return marks.length === 1 ? plain.replace(/[,٫]/, '.') : plain;
}
