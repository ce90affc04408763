import {
  addDays,
  AppError,
  type Page,
  type PageQuery,
  type PlaysFilter,
  type PlaysHistory,
  type PlaysRow,
  type ReportGroup,
} from '@ams/contract';
import { z } from 'zod';
import type { Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { decodeCursor, toPage } from '../platform/database/page.ts';
import type { DatedFilter } from './plays.sql.ts';
import { coursePlays, listPlays, nameSubjects, type Subjects } from './reports.queries.ts';

/** A range of up to so many days is drawn by the hour. */
const DAYS_BY_HOUR = 2;
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

const ByPlays = z.tuple([z.string().regex(/^\d{1,18}$/), z.string().max(100)]);

/** The names of what is asked for; what is not in scope was not found. */
export async function subjectsInScope(db: Db, viewer: Scoped, filter: PlaysFilter): Promise<Subjects> {
  const subjects = await nameSubjects(db, viewer, filter);
  if (!subjects) throw new AppError('NOT_FOUND');
  return subjects;
}

export async function pageOfPlays(
  db: Db,
  viewer: Scoped,
  query: PlaysFilter & { group: ReportGroup } & Pick<PageQuery, 'limit' | 'cursor'>,
): Promise<Page<PlaysRow>> {
  await subjectsInScope(db, viewer, query);
  const after = decodeCursor(query.cursor, ByPlays);
  const rows = await listPlays(db, viewer, query, { limit: query.limit + 1, after });
  return toPage(rows, query, (row) => [String(row.plays), row.id]);
}

const daysBetween = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
};

/** Every hour or day of a range, with what played in it. */
function fill(points: PlaysHistory['points'], days: string[], unit: 'hour' | 'day'): PlaysHistory['points'] {
  const played = new Map(points.map((point) => [point.at, point]));
  const times = unit === 'day' ? days : days.flatMap((day) => HOURS.map((hour) => `${day}T${hour}`));
  return times.map((at) => played.get(at) ?? { at, plays: 0, durationMs: 0 });
}

export async function historyOfPlays(db: Db, viewer: Scoped, filter: DatedFilter): Promise<PlaysHistory> {
  const subjects = await subjectsInScope(db, viewer, filter);
  const length = filter.days ?? (filter.to && filter.from ? daysBetween(filter.from, filter.to).length : 1);
  const unit = length <= DAYS_BY_HOUR ? 'hour' : 'day';
  const { points, scans, timeZones, today } = await coursePlays(db, viewer, filter, unit);
  const to = filter.to ?? today;
  // In zones a day behind, the last days began a day earlier.
  const from = [
    filter.from ?? addDays(to, 1 - length),
    ...points.slice(0, 1).map(({ at }) => at.slice(0, 10)),
  ].toSorted()[0];
  const sum = (of: (point: PlaysHistory['points'][number]) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  return {
    ...subjects,
    from: from ?? to,
    to,
    unit,
    plays: sum((point) => point.plays),
    durationMs: sum((point) => point.durationMs),
    scans,
    timeZones,
    points: fill(points, daysBetween(from ?? to, to), unit),
  };
}
