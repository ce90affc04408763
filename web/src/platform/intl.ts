import { nextTask } from './task.ts';

type Format<O, F> = new (language: string, options?: O) => F;

/** The offset of this browser's clock: a formatter without a time zone keeps the one that it was made in. */
const zone = (): string => String(new Date().getTimezoneOffset());

/**
 * One formatter for each language and its options. A browser needs a tenth of a millisecond to make one, and a row of a
 * list several of them.
 */
function kept<O, F>(Made: Format<O, F>, place: () => string = () => ''): (language: string, options?: O) => F {
  const known = new Map<string, F>();
  return (language, options) => {
    const key = `${language} ${place()} ${options === undefined ? '' : JSON.stringify(options)}`;
    const format = known.get(key) ?? new Made(language, options);
    known.set(key, format);
    return format;
  };
}

export const numberFormat = kept(Intl.NumberFormat);
export const dateFormat = kept(Intl.DateTimeFormat, zone);
/** The time zone of this browser; UTC if it knows none: Chromium then reports `Etc/Unknown`, which it refuses itself. */
export function browserZone(): string {
  const { timeZone } = dateFormat('en').resolvedOptions();
  try {
    dateFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}
export const relativeFormat = kept(Intl.RelativeTimeFormat);
export const listFormat = kept(Intl.ListFormat);

/** What a browser makes of a language on first use, and takes up to 20 ms for because it then reads its tables. */
const FIRST_USES: readonly ((language: string) => unknown)[] = [
  (language) => new Intl.Locale(language).maximize(),
  (language) => numberFormat(language).format(0),
  (language) => dateFormat(language, { dateStyle: 'medium' }).format(0),
];

/** Makes formatters ready while a page waits for its files, so that its first rendering does not wait for them. */
export async function prepareFormats(language: string): Promise<void> {
  for (const use of FIRST_USES) {
    await nextTask();
    use(language);
  }
}
