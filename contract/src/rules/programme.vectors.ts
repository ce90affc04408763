import type { Programme } from '../player.ts';

type Scheduled = Pick<Programme, 'schedule' | 'endsAt' | 'priority' | 'replace' | 'playMode' | 'pace'>;

/**
 * Examples of playing programmes. Every implementation must agree with them: the device, and the preview of a device's
 * programme for operators.
 */
export interface ProgrammeVector {
  title: string;
  timeZone: string;
  /** In release order; each is identified by its name. */
  programmes: (Partial<Scheduled> & { name: string })[];
  /** Instant (ISO 8601) → the names of what plays then, in order. */
  plays: Record<string, string[]>;
}

/** A vector's programme with what it leaves out: normal, adding to the rotation, without end or hours. */
export const wholeProgramme = (given: ProgrammeVector['programmes'][number]): Scheduled & { name: string } => ({
  schedule: null,
  priority: 'normal',
  replace: false,
  playMode: 'sequence',
  ...given,
});

export const PROGRAMME_VECTORS: readonly ProgrammeVector[] = [
  {
    title: 'what is added plays in turn, in release order',
    timeZone: 'UTC',
    programmes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    plays: { '2026-11-21T12:00:00Z': ['a', 'b', 'c'] },
  },
  {
    title: 'what replaces takes the place of all before it, not of what comes after',
    timeZone: 'UTC',
    programmes: [{ name: 'a' }, { name: 'b', replace: true }, { name: 'c' }],
    plays: { '2026-11-21T12:00:00Z': ['b', 'c'] },
  },
  {
    title: 'a replacement with hours gives the screen back outside them',
    timeZone: 'Europe/Berlin',
    programmes: [
      { name: 'always' },
      { name: 'lunch', replace: true, schedule: { hours: [{ from: '11:30', to: '14:00' }] } },
    ],
    plays: {
      '2026-11-21T10:29:59Z': ['always'],
      '2026-11-21T10:30:00Z': ['lunch'],
      '2026-11-21T12:59:59Z': ['lunch'],
      '2026-11-21T13:00:00Z': ['always'],
    },
  },
  {
    title: 'what is urgent plays alone for as long as its hours last',
    timeZone: 'UTC',
    programmes: [
      { name: 'urgent', priority: 'urgent', schedule: { hours: [{ from: '08:00', to: '09:00' }] } },
      { name: 'later', replace: true },
    ],
    plays: { '2026-11-21T08:30:00Z': ['urgent'], '2026-11-21T09:00:00Z': ['later'] },
  },
  {
    title: 'default content plays while nothing else does, whatever came later',
    timeZone: 'UTC',
    programmes: [
      { name: 'lunch', schedule: { hours: [{ from: '12:00', to: '14:00' }] } },
      { name: 'urgent', priority: 'urgent', schedule: { hours: [{ from: '15:00', to: '16:00' }] } },
      { name: 'default', priority: 'default', replace: true },
      { name: 'evening', schedule: { hours: [{ from: '18:00', to: '20:00' }] } },
    ],
    plays: {
      '2026-11-21T11:59:59Z': ['default'],
      '2026-11-21T12:00:00Z': ['lunch'],
      '2026-11-21T14:00:00Z': ['default'],
      '2026-11-21T15:00:00Z': ['urgent'],
      '2026-11-21T18:00:00Z': ['evening'],
      '2026-11-21T20:00:00Z': ['default'],
    },
  },
  {
    title: 'dates are those at the device',
    timeZone: 'Asia/Shanghai',
    programmes: [{ name: 'day', schedule: { from: '2026-11-21', to: '2026-11-21' } }],
    plays: {
      '2026-11-20T15:59:59Z': [],
      '2026-11-20T16:00:00Z': ['day'],
      '2026-11-21T15:59:59Z': ['day'],
      '2026-11-21T16:00:00Z': [],
    },
  },
  {
    title: 'hours over midnight belong to the day on which they begin',
    timeZone: 'America/New_York',
    programmes: [{ name: 'friday night', schedule: { weekdays: [5], hours: [{ from: '22:00', to: '02:00' }] } }],
    plays: {
      '2026-11-20T06:30:00Z': [],
      '2026-11-21T02:59:59Z': [],
      '2026-11-21T03:00:00Z': ['friday night'],
      '2026-11-21T06:59:59Z': ['friday night'],
      '2026-11-21T07:00:00Z': [],
      '2026-11-22T03:30:00Z': [],
    },
  },
  {
    title: 'in spring the hours that a clock skips are skipped, and the hours after them are on time',
    timeZone: 'Europe/Berlin',
    programmes: [{ name: 'early', schedule: { hours: [{ from: '01:30', to: '03:30' }] } }],
    plays: {
      '2027-03-28T00:29:59Z': [],
      '2027-03-28T00:30:00Z': ['early'],
      '2027-03-28T01:29:59Z': ['early'],
      '2027-03-28T01:30:00Z': [],
    },
  },
  {
    title: 'in autumn an hour that comes twice plays twice',
    timeZone: 'Europe/Berlin',
    programmes: [{ name: 'night', schedule: { hours: [{ from: '02:00', to: '02:30' }] } }],
    plays: {
      '2026-10-25T00:15:00Z': ['night'],
      '2026-10-25T00:45:00Z': [],
      '2026-10-25T01:15:00Z': ['night'],
      '2026-10-25T01:30:00Z': [],
    },
  },
  {
    title: 'an empty list of hours or weekdays leaves nothing out, and 00:00 to 24:00 is the whole day',
    timeZone: 'Asia/Kathmandu',
    programmes: [
      { name: 'empty', schedule: { weekdays: [], hours: [] } },
      { name: 'whole', schedule: { hours: [{ from: '00:00', to: '24:00' }] } },
    ],
    plays: { '2026-11-21T18:14:59Z': ['empty', 'whole'], '2026-11-21T18:15:00Z': ['empty', 'whole'] },
  },
  {
    title: 'spots of campaigns play beside normal releases, whatever replaces what, and not beside urgent ones',
    timeZone: 'UTC',
    programmes: [
      { name: 'early', pace: { everyMs: 60_000, from: '2026-11-20T00:00:00Z' } },
      { name: 'a' },
      { name: 'b', replace: true },
      { name: 'late', pace: { everyMs: 60_000, from: '2026-11-20T00:00:00Z' }, schedule: { from: '2026-11-21' } },
      { name: 'urgent', priority: 'urgent', schedule: { hours: [{ from: '08:00', to: '09:00' }] } },
    ],
    plays: {
      '2026-11-20T12:00:00Z': ['early', 'b'],
      '2026-11-21T12:00:00Z': ['early', 'b', 'late'],
      '2026-11-21T08:30:00Z': ['urgent'],
    },
  },
  {
    title: 'default content plays between spots of campaigns, and not beside normal releases',
    timeZone: 'UTC',
    programmes: [
      { name: 'default', priority: 'default', replace: true },
      { name: 'spot', pace: { everyMs: 60_000, from: '2026-11-20T00:00:00Z' } },
      { name: 'lunch', schedule: { hours: [{ from: '12:00', to: '14:00' }] } },
    ],
    plays: {
      '2026-11-21T11:00:00Z': ['default', 'spot'],
      '2026-11-21T12:00:00Z': ['spot', 'lunch'],
    },
  },
  {
    title: 'a takeover plays alone until it ends, then an earlier one that still runs, then what played before',
    timeZone: 'UTC',
    programmes: [
      { name: 'normal' },
      { name: 'urgent', priority: 'urgent' },
      { name: 'long', priority: 'takeover', endsAt: '2026-11-21T12:00:00Z' },
      { name: 'short', priority: 'takeover', endsAt: '2026-11-21T11:00:00Z' },
    ],
    plays: {
      '2026-11-21T10:59:59Z': ['short'],
      '2026-11-21T11:00:00Z': ['long'],
      '2026-11-21T12:00:00Z': ['urgent'],
    },
  },
];
