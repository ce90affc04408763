/** The beginning of a text, of at most `max` UTF-16 code units, without half a character at its end. */
export const beginningOf = (text: string, max: number): string =>
  text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
