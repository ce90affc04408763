/**
 * Texts that a spreadsheet program treats as formulas (OWASP, "CSV Injection"), including full-width forms, and texts
 * with a leading apostrophe, so that an import removes exactly the apostrophe that an export added.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text for a spreadsheet: a leading apostrophe is added if it would run as a formula. */
export const neutralText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text that `neutralText` made a cell of. */
export const plainText = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

/** Errors of formulas as spreadsheet programs write them in several languages: `#N/A`, `#DIV/0!`, `#BEZUG!`, `Err:508`. */
const FORMULA_ERROR = /^(?:#(?:N\/A|NV|N\/D|Н\/Д|YOK|[\p{Lu}\d/]+[!?])|Err:\d{3})$/u;

/** Whether a text is what a formula that failed shows. */
export const isFormulaError = (text: string): boolean => FORMULA_ERROR.test(text);
