import { type PlaysFilter, type PlaysRow, type ReportGroup, fillUrl, reports } from '@ams/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery } from '../platform/query.ts';
import { REPORTS } from './keys.ts';

const calls = callsOf(reports);

export const playHistoryQuery = (filter: PlaysFilter) =>
  queryOptions({
    queryKey: [...REPORTS, 'history', filter],
    queryFn: () => unwrap(calls.history({ query: filter })),
    placeholderData: keepPreviousData,
  });

export const playsQuery = (filter: PlaysFilter, group: ReportGroup) =>
  pageQuery<PlaysRow>([...REPORTS, 'plays', filter, group], (page) =>
    calls.plays({ query: { ...filter, ...page, group } }),
  );

export const exportAddress = (filter: PlaysFilter, group: ReportGroup, format: 'xls' | 'csv'): string =>
  fillUrl(reports.export.url, {}, { ...filter, group, format });
