/** Arabic, Persian and full-width digits of a text as the digits 0 to 9; other full-width characters become plain, too. */
export const plainDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
