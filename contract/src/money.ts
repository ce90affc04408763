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

const USUAL_DECIMALS = 2;
/** ISO 4217 where it has other than two decimals. `Intl` has those in everyday use, which differ (HUF, IDR, PKR). */
const OTHER_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const MINOR_UNITS = new Map(
  Object.entries(OTHER_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** The number of decimals of a currency by ISO 4217: 2 for EUR, 0 for JPY, 3 for KWD. */
export const minorUnits = (currency: string): number => MINOR_UNITS.get(currency) ?? USUAL_DECIMALS;

/** Whether an amount is a whole number of the currency's smallest units. */
export function hasMinorUnits(amount: string, currency: string): boolean {
  const decimals = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0;
  return decimals <= minorUnits(currency);
}

const isNumeric = (text: string): text is `${number}` => /^\d+(\.\d+)?$/.test(text);

const [LEFT_TO_RIGHT, RIGHT_TO_LEFT] = ['\u200e', '\u200f'];
/** From right to left, a sign moves before the Latin letters that it follows: `UK£` becomes `£UK`. */
const SIGN_AFTER_LETTERS = /\p{Script=Latin}\p{Sc}$/u;

/** An amount as its language writes it, to the last digit: `0.0525` EUR → '€0.0525'. Other texts stay as they are. */
export function formatMoney(language: string, amount: string, currency: string): string {
  if (!isNumeric(amount)) return `${amount} ${currency}`;
  const decimals = minorUnits(currency);
  const given = amount.split('.')[1]?.length ?? 0;
  const text = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(given, decimals),
  }).format(amount);
  return text.startsWith(RIGHT_TO_LEFT) ? text.replace(SIGN_AFTER_LETTERS, `$&${LEFT_TO_RIGHT}`) : text;
}
