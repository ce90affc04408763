/**
 * Texts that a spreadsheet program treats as formulas (OWASP, "CSV Injection"), including full-width forms, and texts
 * with a leading apostrophe, so that an import removes exactly the apostrophe that an export added.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text for a spreadsheet: a leading apostrophe is added if it would run as a formula. */
export const neutralText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text that `neutralText` made a cell of. */
export const plainText = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
