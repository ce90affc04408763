import { z } from 'zod';

/** Digits before and after the point. */
export const AMOUNT_DIGITS = { whole: 12, decimals: 6 };

/** ISO 4217, as far as this runtime knows them. */
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
export const Currency = z.string().refine((code) => CURRENCIES.has(code), 'currency.unknown');

const [WHOLE, DECIMALS] = [AMOUNT_DIGITS.whole, AMOUNT_DIGITS.decimals];
const AMOUNT = new RegExp(String.raw`^(0|[1-9]\d{0,${WHOLE - 1}})(\.\d{1,${DECIMALS}})?$`);

/** An amount of money as a decimal text, never a float: `0.05`. */
export const Amount = z.string().regex(AMOUNT, 'amount.invalid');

/** The number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export const minorUnits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/** Whether an amount is a whole number of the currency's smallest units. */
export function hasMinorUnits(amount: string, currency: string): boolean {
  if (!CURRENCIES.has(currency)) return true;
  const decimals = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0;
  return decimals <= minorUnits(currency);
}
