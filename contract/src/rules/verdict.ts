import type { Programme } from '../player.ts';
import type { Screen } from '../vocabulary.ts';
import { coversThroughout, type Explained, type Verdict, explainPlaying, type Scheduled } from './programme.ts';
import { type Laid, leadOf } from './lead.ts';
import { zonedInstant } from './zone.ts';

/** The server's facts about a release on a device. */
export interface Held {
  /** Every file of it is on the device. */
  isWhole: boolean;
  /** It plays once and has done so in the time that its schedule covers now. */
  isFinished: boolean;
}

export type HeldVerdict<P> =
  | Verdict<P>
  /** It would play if its files were on the device. */
  | { kind: 'incomplete' }
  | { kind: 'finished' };

/**
 * Whether each release plays at an instant, and why not, for the files that the device has. A release that lacks files
 * neither plays nor prevents another from playing. Arguments as in `explainPlaying`.
 */
export function explainHeld<P extends Scheduled & Held>(
  programmes: readonly P[],
  now: number,
  timeZone: string,
): Explained<P, HeldVerdict<P>>[] {
  const open = programmes.filter((programme) => !programme.isFinished);
  const explain = (list: P[]) =>
    new Map(explainPlaying(list, now, timeZone).map(({ programme, verdict }) => [programme, verdict]));
  const held = explain(open.filter(({ isWhole }) => isWhole));
  const wanted = explain(open);
  const verdictOf = (programme: P): HeldVerdict<P> => {
    if (programme.isFinished) return { kind: 'finished' };
    const verdict = held.get(programme) ?? wanted.get(programme) ?? { kind: 'notScheduled' };
    return verdict.kind === 'plays' && !programme.isWhole ? { kind: 'incomplete' } : verdict;
  };
  return programmes.map((programme) => ({ programme, verdict: verdictOf(programme) }));
}

/** When a device last began to play a file: the day and the hour (0 to 23) by its own clock. */
export interface LastPlay {
  sha256: string;
  screen: Screen;
  day: string;
  hour: number;
}

const HOUR_MINUTES = 60;

/**
 * Whether a release that plays once has done so on a screen: the last item of its leading region was played, and its
 * schedule has covered the time since. What is known is the hour, so an hour's last minute counts.
 */
export function hasPlayedOnce(
  programme: Laid & Pick<Programme, 'playMode' | 'schedule' | 'pace'>,
  screen: Screen,
  plays: readonly LastPlay[],
  now: number,
  timeZone: string,
): boolean {
  if (programme.playMode !== 'once' || programme.pace) return false;
  const lead = leadOf(programme);
  const last = lead && programme.regions[lead]?.at(-1);
  const play = plays.find((each) => each.screen === screen && each.sha256 === last?.sha256);
  if (!play) return false;
  const hourEnd = zonedInstant(play.day, play.hour * HOUR_MINUTES + HOUR_MINUTES - 1, timeZone);
  return coversThroughout(programme.schedule, Math.min(hourEnd, now), now, timeZone);
}

/** Why a device's screens show what they show, in the order in which the reasons count. */
export const DEVICE_VERDICTS = [
  'offline',
  'expired',
  /** Dark on purpose: outside its working hours. */
  'dark',
  /** Its content cannot be downloaded or played. */
  'failed',
  'nothing',
  /** Something was released for another time. */
  'later',
  /** Its content is still downloading. */
  'downloading',
  /** All that was released plays once and has done so. */
  'finished',
  'plays',
] as const;
export type DeviceVerdictKind = (typeof DEVICE_VERDICTS)[number];

export interface DeviceFacts {
  isOnline: boolean;
  isExpired: boolean;
  isWithinHours: boolean;
  hasFailed: boolean;
  /** The verdicts on its releases, of all screens. */
  releases: readonly HeldVerdict<unknown>['kind'][];
}

const APPLIES: Record<DeviceVerdictKind, (facts: DeviceFacts) => boolean> = {
  offline: ({ isOnline }) => !isOnline,
  expired: ({ isExpired }) => isExpired,
  dark: ({ isWithinHours }) => !isWithinHours,
  failed: ({ hasFailed }) => hasFailed,
  nothing: ({ releases }) => releases.length === 0,
  later: ({ releases }) => releases.every((kind) => kind === 'notScheduled'),
  downloading: ({ releases }) => !releases.includes('plays') && releases.includes('incomplete'),
  finished: ({ releases }) => !releases.includes('plays'),
  plays: () => true,
};

/** The one verdict on a device: the first reason that applies. */
export const deviceVerdict = (facts: DeviceFacts): DeviceVerdictKind =>
  DEVICE_VERDICTS.find((kind) => APPLIES[kind](facts)) ?? 'plays';

const PREVENTS: Record<DeviceVerdictKind, boolean> = {
  offline: true,
  expired: true,
  dark: true,
  failed: true,
  nothing: false,
  later: false,
  downloading: false,
  finished: false,
  plays: false,
};

/** Whether a verdict keeps (or may keep) from the screen what the rules choose for it. */
export const prevents = (kind: DeviceVerdictKind): boolean => PREVENTS[kind];
