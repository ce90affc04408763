import type { AuditEntry, Page } from '@ams/contract';
import type { InfiniteData } from '@tanstack/react-query';

export interface AuditRow extends AuditEntry {
  /** The first of its day, with the day's heading above. */
  opensDay?: boolean;
  /** Its target was deleted later, so there is no page to link to. */
  gone?: boolean;
}

/** `devices.delete`, `files.remove` … */
const isDeletion = (action: string): boolean => /\.(delete|remove)$/.test(action);

/** Days from `at` to `now` by the calendar of this browser's time zone; negative for what lies ahead. */
export function daysAgo(at: Date, now: Date): number {
  const dayOf = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (dayOf(now) - dayOf(at)) / 86_400_000;
}

/** Marks where days begin and what is gone. Pages and their items come newest first. */
export function toRows(pages: readonly Page<AuditEntry>[]): Page<AuditRow>[] {
  const deleted = new Set<string>();
  let day: string | undefined;
  const toRow = (entry: AuditEntry): AuditRow => {
    const { targetId, at, action } = entry;
    if (targetId !== null && isDeletion(action)) deleted.add(targetId);
    const before = day;
    day = new Date(at).toDateString();
    return { ...entry, opensDay: day !== before, gone: targetId !== null && deleted.has(targetId) };
  };
  return pages.map((page) => ({ ...page, items: page.items.map(toRow) }));
}

/** What a list of entries selects. A function of the module, so that rows are made once for each answer. */
export const withRows = (data: InfiniteData<Page<AuditEntry>, string | undefined>) => ({
  ...data,
  pages: toRows(data.pages),
});
