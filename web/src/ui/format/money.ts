/** More digits than any price has; without them, prices of a single play would be rounded. */
const DECIMALS_MAX = 6;

const isNumeric = (text: string): text is `${number}` => /^\d+(\.\d+)?$/.test(text);

/** A price as its language writes it, to the last digit: `0.0525` EUR → '€0.0525'. Other texts stay as they are. */
export function formatMoney(language: string, amount: string, currency: string): string {
  if (!isNumeric(amount)) return `${amount} ${currency}`;
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  const given = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    maximumFractionDigits: Math.min(Math.max(given, maximumFractionDigits), DECIMALS_MAX),
  }).format(amount);
}
