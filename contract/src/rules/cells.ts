/**
 * Texts that a spreadsheet program takes for a formula (OWASP, "CSV Injection"), with their full-width
 * writings; with apostrophes before them too, so that what is taken off is what was put on.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text as it may stand in a spreadsheet: one that would be run as a formula gets an apostrophe before it. */
export const neutralText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text that `neutralText` made a cell of. */
export const plainText = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
