import type { Device, ScreenName } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../platform/i18n.ts';
import { useFormat } from '../ui/format.ts';
import { PlayIcon, ScreenIcon } from '../ui/icons.tsx';
import { Badge, StateBadge } from '../ui/StateBadge.tsx';
import { useNow } from '../ui/time.tsx';
import style from './devices.module.css';
import { type Content, type Shown, contentOf, expiryOf, screenNames, shownOn } from './truths.ts';

/** The first truth: whether the machine's own channel is open. */
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
        <StateBadge state="waiting" text={t('downloading', { percent: content.percent })} />
      ) : (
        <StateBadge state={content.state} />
      )}
    </span>
  );
}

/** The third truth: what it says is on its main screen, or on the other when only that one plays. */
export function OnScreenBadge({ device }: { device: Device }) {
  const now = useNow();
  const words = useShownWords();
  const screens = screenNames(device).map((screen) => shownOn(device, screen, now));
  const shown = screens.find((each) => each.state === 'playing') ?? screens.find((each) => each.state === 'stale');
  const told = shown ?? shownOn(device, 'main', now);
  return (
    <span data-testid="on-screen" data-state={told.state} className={style.truth}>
      <Badge
        tone={told.state === 'playing' ? 'primary' : 'plain'}
        icon={told.state === 'playing' || told.state === 'stale' ? <PlayIcon /> : <ScreenIcon />}
      >
        <span className={style.clip}>{words(told)}</span>
      </Badge>
    </span>
  );
}

/** What a screen shows, in a few words. */
export function useShownWords(): (shown: Shown) => string {
  const { t } = useTranslation('devices');
  return (shown) => {
    if (shown.state === 'nothing') return t('playsNothing');
    if (shown.state === 'unknown') return t('screenUnknown');
    const ad = shown.now.ad?.name ?? t('unknownAd');
    return shown.state === 'stale' ? t('playedLast', { ad }) : t('playing', { ad });
  };
}

/** The day on which it stops playing: a badge when that is near or over, else plain words. */
export function ExpiryBadge({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { date } = useFormat();
  const expiry = expiryOf(device, useNow());
  if (device.expiresAt === null) return <span className="caption">{t('noExpiry')}</span>;
  if (expiry === 'expired')
    return <StateBadge state="expired" text={t('expiredOn', { date: date(device.expiresAt) })} />;
  if (expiry === 'expiring')
    return <StateBadge state="expiring" text={t('expiresOn', { date: date(device.expiresAt) })} />;
  return <span className="caption">{t('until', { date: date(device.expiresAt) })}</span>;
}

/** Why the machine could not fetch its content, in a person's words; its own word when it is a new one. */
export function failureText({ reason }: Extract<Content, { state: 'failed' }>): string {
  const words: Partial<Record<string, string>> = contractMessages().downloads;
  return words[reason] ?? reason;
}

export const SCREEN_NAME_TEXT = { main: 'mainScreen', secondary: 'secondaryScreen' } as const satisfies Record<
  ScreenName,
  string
>;
