import type { Takeover, TakeoverDevice } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StateBadge } from '../ui/feedback/StateBadge.tsx';
import { DeviceLabel } from '../ui/layout/DeviceLabel.tsx';
import style from './takeovers.module.css';

interface TakeoverDeviceRowProps {
  device: TakeoverDevice;
  state: Takeover['state'];
}

/** One device of a takeover, and what it reports of it. At its end, nothing is expected of devices that never knew. */
export function TakeoverDeviceRow({ device, state }: TakeoverDeviceRowProps) {
  const { t } = useTranslation('releases');
  const { online, expired, ready, told, showing } = device;
  return (
    <Link
      to={`/mac/${device.id}`}
      className={style.device}
      data-testid="takeover-device"
      data-mac={device.mac}
      data-showing={showing}
    >
      <strong dir="auto">
        <DeviceLabel device={device} />
      </strong>
      <span className={style.badges}>
        {showing ? (
          <StateBadge state="done" text={t('takeoverOnScreen')} />
        ) : told ? (
          <StateBadge state="processing" text={t('takeoverIsTold')} />
        ) : state === 'ended' ? null : ready ? (
          <StateBadge state="planned" text={t('takeoverIsReady')} />
        ) : (
          <StateBadge state="waiting" />
        )}
        {!online && <StateBadge state="offline" />}
        {expired && <StateBadge state="expired" />}
      </span>
    </Link>
  );
}
