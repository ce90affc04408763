import type { AuditEntry } from '@ams/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysAgo, toRows } from './rows.ts';

const entry = (at: Date, action = 'users.change', targetId: string | null = null): AuditEntry => ({
  id: crypto.randomUUID(),
  at: at.toISOString(),
  actor: null,
  actorName: 'gone',
  person: null,
  action,
  targetId,
  target: null,
  details: null,
});

const newestFirst = fc
  .array(fc.date({ min: new Date('2026-01-01'), max: new Date('2026-03-01'), noInvalidDate: true }), { maxLength: 60 })
  .map((dates) => dates.toSorted((a, b) => b.getTime() - a.getTime()));

it('gives every day one heading, wherever the pages are cut', () => {
  fc.assert(
    fc.property(newestFirst, fc.integer({ min: 1, max: 7 }), (dates, size) => {
      const pages = Array.from({ length: Math.ceil(dates.length / size) }, (_, n) => ({
        items: dates.slice(n * size, (n + 1) * size).map((at) => entry(at)),
        next: null,
      }));
      const rows = toRows(pages).flatMap((page) => page.items);
      const days = rows.filter((row) => row.opensDay).map((row) => new Date(row.at).toDateString());
      expect(days).toEqual([...new Set(dates.map((at) => at.toDateString()))]);
    }),
  );
});

it('knows that what was deleted later is gone, on this page and on those after it', () => {
  const at = new Date('2026-05-01T10:00:00Z');
  const pages = [
    { items: [entry(at, 'devices.create', 'b'), entry(at, 'devices.delete', 'a')], next: 'more' },
    { items: [entry(at, 'devices.change', 'a'), entry(at, 'devices.change', 'b')], next: null },
  ];
  expect(toRows(pages).map((page) => page.items.map((row) => row.gone))).toEqual([
    [false, true],
    [true, false],
  ]);
});

it('counts days by the calendar, not by 24 hours', () => {
  expect(daysAgo(new Date(2026, 2, 28, 23, 59), new Date(2026, 2, 29, 0, 1))).toBe(1);
  expect(daysAgo(new Date(2026, 2, 29, 0, 1), new Date(2026, 2, 29, 23, 59))).toBe(0);
  expect(daysAgo(new Date(2026, 2, 28), new Date(2026, 2, 30))).toBe(2);
});
