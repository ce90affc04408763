import { releases } from '@ams/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { RELEASES } from './keys.ts';

const calls = callsOf(releases);

/** Whose calendar it is. */
export type CalendarSubject = { device: string } | { group: string };

/** What plays on the days `from` to `to` (`YYYY-MM-DD`); it changes with releases. */
export const calendarQuery = (subject: CalendarSubject, from: string, to: string) =>
  queryOptions({
    queryKey: [...RELEASES, 'calendar', subject, from, to],
    queryFn: () => {
      const query = { from, to };
      return unwrap(
        'device' in subject
          ? calls.deviceCalendar({ params: { id: subject.device }, query })
          : calls.groupCalendar({ params: { id: subject.group }, query }),
      );
    },
    placeholderData: keepPreviousData,
  });
