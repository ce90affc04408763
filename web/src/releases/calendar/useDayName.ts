import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat } from '../../platform/intl.ts';

/** The name of a day, `YYYY-MM-DD`: 'Mon 16', or 'Monday, November 16'. */
export function useDayName(length: 'short' | 'long'): (date: string) => string {
  const { i18n } = useTranslation();
  const format = dateFormat(dateLocale(i18n.language), {
    weekday: length,
    day: 'numeric',
    ...(length === 'long' && { month: 'long' }),
    timeZone: 'UTC',
  });
  return (date) => format.format(new Date(date));
}
