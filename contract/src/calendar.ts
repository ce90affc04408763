import { z } from 'zod';
import { IdParams } from './kernel/route.ts';
import { GivenDate, isPlannable } from './kernel/time.ts';
import { addDays } from './rules/zone.ts';
import { Priority } from './vocabulary.ts';

/** The longest interval of a calendar. */
export const CALENDAR_DAYS_MAX = 35;
/** Sets of devices with the same content that the calendar of a group shows, the largest first. */
export const CALENDAR_CLASSES_MAX = 20;
/** Devices of each set whose proof of play is read for the past. */
export const CALENDAR_SAMPLE = 100;

const Day = GivenDate('schedule.date');
/** The days `from` to `to` inclusive, by the calendar of each device. */
export const CalendarQuery = z
  .object({ from: Day.refine(isPlannable, 'schedule.date'), to: Day })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'schedule.order' })
  .refine(({ from, to }) => !Day.safeParse(from).success || to < addDays(from, CALENDAR_DAYS_MAX), {
    path: ['to'],
    error: 'calendar.range',
  });
export type CalendarQuery = z.output<typeof CalendarQuery>;

/**
 * A part of a screen's time. `played`: from proof of play, whole hours; the others are planned: releases that play in
 * turn, `nothing` released, `dark` outside the working hours, or the device `expired`. Times without a slot are past and have no proof of play.
 */
export const CalendarSlot = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  state: z.enum(['played', 'plays', 'nothing', 'dark', 'expired']),
  /** Ids of releases, in the order in which they play. */
  releases: z.array(z.uuid()),
  /** Number of plays of a device; null for planned slots and for sets of devices. */
  plays: z.number().int().nullable(),
});
export type CalendarSlot = z.output<typeof CalendarSlot>;

/** Devices with the same content, and what plays on them. */
export const CalendarClass = z.object({
  devices: z.number().int(),
  /** One of them. */
  example: z.object({ id: z.uuid(), mac: z.string(), name: z.string() }),
  timeZone: z.string(),
  screens: z.object({
    main: z.array(CalendarSlot),
    /** Null if none of them has a second screen. */
    secondary: z.array(CalendarSlot).nullable(),
  }),
});
export type CalendarClass = z.output<typeof CalendarClass>;

/** A release that a calendar names. `open`: its own page is in the viewer's scope. */
export const CalendarRelease = z.object({
  id: z.uuid(),
  ad: z.object({ id: z.uuid(), name: z.string() }),
  priority: Priority,
  open: z.boolean(),
});
export type CalendarRelease = z.output<typeof CalendarRelease>;

/** The content of devices over time: the past from proof of play, the future by the rule that devices use. */
export const Calendar = z.object({
  /** The instant that divides past and future. */
  at: z.iso.datetime(),
  /** Number of devices, of which `classes` may show only the largest sets. */
  devices: z.number().int(),
  classes: z.array(CalendarClass),
  releases: z.array(CalendarRelease),
});
export type Calendar = z.output<typeof Calendar>;

const common = {
  method: 'GET',
  access: 'user',
  params: IdParams,
  query: CalendarQuery,
  response: Calendar,
} as const;

/** The calendar's calls, part of those of releases. */
export const calendarRoutes = {
  deviceCalendar: {
    ...common,
    url: '/api/devices/:id/calendar',
    summary: 'What plays on a device on up to 35 days, past (from proof of play) and future',
  },
  groupCalendar: {
    ...common,
    url: '/api/groups/:id/calendar',
    summary: 'What plays on the devices of a group on up to 35 days, by sets of devices with the same content',
  },
} as const;
