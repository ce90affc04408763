import type { Device, DeviceVerdictKind } from '@ams/contract';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../platform/session.ts';
import { UsersIcon } from '../ui/layout/icons.ts';
import { SelectMark } from '../ui/list/select/SelectMark.tsx';
import { useLongPress } from '../ui/list/select/longPress.ts';
import { RelativeTime, useNow } from '../ui/format/time.tsx';
import { DeviceLabel, Mac } from '../ui/layout/DeviceLabel.tsx';
import { CopyMac } from './CopyMac.tsx';
import { isUpright, ScreenPicture } from './ScreenPicture.tsx';
import { DownloadBadge, ExpiryBadge, OnScreenBadge, OnlineBadge } from './Truths.tsx';
import style from './DeviceCard.module.css';
import { shownOn } from './truths.ts';
import { VerdictLine } from './VerdictLine.tsx';

/** What the badges of a card do not say already. */
const SAID_IN_LIST: Record<DeviceVerdictKind, boolean> = {
  offline: false,
  expired: false,
  dark: false,
  failed: true,
  nothing: false,
  later: true,
  downloading: false,
  finished: true,
  plays: false,
};

interface DeviceCardProps {
  device: Device;
  /** Whether it is chosen, while devices are being selected; undefined otherwise. */
  selected: boolean | undefined;
  onToggle: () => void;
}

/**
 * A row of the device list. All of it leads to the device, but the MAC, which is copied; while devices are being
 * selected, all of it is a checkbox.
 */
export function DeviceCard({ device, selected, onToggle }: DeviceCardProps) {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const now = useNow();
  return (
    <article className={style.card} data-testid="device" data-mac={device.mac} data-selected={selected || undefined}>
      <div className={style.picture} data-upright={isUpright(device, 'main') || undefined}>
        <ScreenPicture device={device} name="main" shown={shownOn(device, 'main', now)} />
        <SelectMark selected={selected} corner="start" />
      </div>
      <div className={style.text}>
        <OpenLink device={device} selected={selected} onToggle={onToggle} />
        <OnScreenBadge device={device} />
      </div>
      <div className={style.line}>
        <OnlineBadge device={device} />
        {!device.online && device.lastSeenAt && (
          <span className="caption" title={t('lastSeen')}>
            <RelativeTime at={device.lastSeenAt} />
          </span>
        )}
        <DownloadBadge device={device} />
        {leading && (
          <span className={style.owner}>
            <UsersIcon />
            <span className="visually-hidden">{t('owner')}: </span>
            <span className="clip">{device.owner.username}</span>
          </span>
        )}
      </div>
      {SAID_IN_LIST[device.verdict.kind] && (
        <div className={style.reason}>
          <VerdictLine verdict={device.verdict} timeZone={device.timeZone} />
        </div>
      )}
      <div className={style.line}>
        {selected === undefined ? (
          <CopyMac mac={device.mac} />
        ) : (
          <span className={style.plainMac}>
            <Mac mac={device.mac} />
          </span>
        )}
        <span className={style.expiry}>
          <ExpiryBadge device={device} />
        </span>
      </div>
    </article>
  );
}

/** The name, over all of the card: a tap opens the device or chooses it, a long press begins to choose. */
function OpenLink({ device, selected, onToggle }: DeviceCardProps) {
  const selecting = selected !== undefined;
  const { onClick, ...press } = useLongPress(onToggle, () => selecting && onToggle());
  const click = (event: MouseEvent) => {
    if (selecting) event.preventDefault();
    onClick(event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!selecting || event.key !== ' ') return;
    event.preventDefault();
    onToggle();
  };
  return (
    <Link
      to={`/mac/${device.id}`}
      className={style.open}
      dir="auto"
      draggable={false}
      role={selecting ? 'checkbox' : undefined}
      aria-checked={selected}
      onClick={click}
      onKeyDown={onKeyDown}
      {...press}
    >
      <DeviceLabel device={device} />
    </Link>
  );
}
