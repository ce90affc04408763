import { type Device, type DeviceVerdict, localTime, type Screen } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../platform/language.ts';
import { contractMessages } from '../platform/i18n.ts';
import { dateFormat } from '../platform/intl.ts';
import { useFormat } from '../ui/format/format.ts';
import { ClockIcon, MoonIcon, PlayIcon, ScreenIcon } from '../ui/layout/icons.ts';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { useNow } from '../ui/format/time.tsx';
import style from './Truths.module.css';
import { type Content, type Shown, contentOf, expiryOf, screenNames, shownOn } from './truths.ts';

/** The first truth: whether the device's own channel is open. */
export const OnlineBadge = ({ device }: { device: Device }) => (
  <span data-testid="online" data-state={device.online ? 'online' : 'offline'} className={style.truth}>
    <StateBadge state={device.online ? 'online' : 'offline'} />
  </span>
);

/** The second truth: whether it holds what it should; on the way its percent, when it failed a triangle. */
export function DownloadBadge({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const content = contentOf(device);
  return (
    <span data-testid="download" data-state={device.download.state} className={style.truth}>
      {content.state === 'downloading' ? (
        <StateBadge state="waiting" text={t('waitingPercent', { percent: content.percent })} />
      ) : (
        <StateBadge state={content.state} />
      )}
    </span>
  );
}

/** The content that the device reports for its main screen, or for the other when only that one plays. */
export function OnScreenBadge({ device }: { device: Device }) {
  const now = useNow();
  const screens = screenNames(device).map((screen) => shownOn(device, screen, now));
  const shown = screens.find((each) => each.state === 'playing') ?? screens.find((each) => each.state === 'stale');
  const told = shown ?? shownOn(device, 'main', now);
  const dark = useDarkWords();
  const isDark = device.verdict.kind === 'dark' && told.state !== 'playing';
  return (
    <span data-testid="on-screen" data-state={told.state} className={style.truth}>
      <Badge
        tone={told.state === 'playing' ? 'primary' : 'plain'}
        icon={isDark ? <MoonIcon /> : SHOWN_ICON[told.state]}
      >
        {isDark ? <span className="clip">{dark(device.verdict, device.timeZone)}</span> : <ShownWords shown={told} />}
      </Badge>
    </span>
  );
}

const SHOWN_ICON = { playing: <PlayIcon />, stale: <ClockIcon />, nothing: <ScreenIcon />, unknown: <ScreenIcon /> };

/** Short description of a screen's content. */
export function useShownWords(): (shown: Shown) => string {
  const { t } = useTranslation('devices');
  return (shown) => {
    if (shown.state === 'nothing') return t('playsNothing');
    if (shown.state === 'unknown') return t('screenUnknown');
    const ad = shown.now.ad?.name ?? t('unknownAd');
    return shown.state === 'stale' ? t('playedLast', { ad }) : t('playing', { ad });
  };
}

/** A screen's content on one line, on which the name of the ad is cut at the end of its own writing. */
function ShownWords({ shown }: { shown: Shown }) {
  const { t } = useTranslation('devices');
  const words = useShownWords();
  if (shown.state === 'nothing' || shown.state === 'unknown') return <span className="clip">{words(shown)}</span>;
  const [before, after] = t(shown.state === 'stale' ? 'playedLast' : 'playing', { ad: SLOT }).split(SLOT);
  return (
    <span className={style.shown}>
      {before}
      <bdi>{shown.now.ad?.name ?? t('unknownAd')}</bdi>
      {after}
    </span>
  );
}

/** Stands for the name of an ad; in no text. */
const SLOT = '\u0000';

/** 'Dark until 08:00', by the clock of the device; with the day unless that is today. */
export function useDarkWords(): (verdict: DeviceVerdict, timeZone: string) => string {
  const { t, i18n } = useTranslation('devices');
  const now = useNow();
  return ({ until }, timeZone) => {
    if (until === null) return t('darkAlways');
    const instant = Date.parse(until);
    const isToday = localTime(instant, timeZone).date === localTime(now, timeZone).date;
    const day = isToday ? {} : instant - now < SIX_DAYS ? WEEKDAY : DATE;
    const format = dateFormat(dateLocale(i18n.language), { ...CLOCK, ...day, timeZone });
    return t('darkUntil', { time: format.format(instant) });
  };
}

const SIX_DAYS = 6 * 86_400_000;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const WEEKDAY = { weekday: 'short' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;

/**
 * The day on which it stops playing: a badge when that is near or over, else plain words. `isShort`: only the date is
 * visible, below the head of a column that says the rest.
 */
export function ExpiryBadge({ device, isShort = false }: { device: Device; isShort?: boolean }) {
  const { t } = useTranslation('devices');
  const format = useFormat();
  const now = useNow();
  const expiry = expiryOf(device, now);
  if (device.expiresAt === null || expiry === 'never') return <span className={style.until}>{t('noExpiry')}</span>;
  // A date near by needs no year.
  const near = Math.abs(Date.parse(device.expiresAt) - now) < NEAR;
  const date = near && expiry !== 'valid' ? format.shortDate(device.expiresAt) : format.date(device.expiresAt);
  if (expiry === 'valid') return <span className={style.until}>{isShort ? date : t('until', { date })}</span>;
  const words = t(expiry === 'expired' ? 'expiredOn' : 'expiresOn', { date });
  if (!isShort) return <StateBadge state={expiry} text={words} />;
  return (
    <span title={words}>
      <span className="visually-hidden">{words}</span>
      <span aria-hidden>
        <StateBadge state={expiry} text={date} />
      </span>
    </span>
  );
}

const NEAR = 300 * 86_400_000;

/** Why the device could not download its content, as text; an unknown reason is shown unchanged. */
export function failureText({ reason }: Extract<Content, { state: 'failed' }>): string {
  const words: Partial<Record<string, string>> = contractMessages().downloads;
  return words[reason] ?? reason;
}

export const SCREEN_NAME_TEXT = { main: 'mainScreen', secondary: 'secondaryScreen' } as const satisfies Record<
  Screen,
  string
>;
