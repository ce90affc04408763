import type { Takeover, TakeoverDevice } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { DeviceLabel } from '../ui/layout/DeviceLabel.tsx';
import { CrossIcon } from '../ui/layout/icons.ts';
import style from './takeovers.module.css';

interface TakeoverDeviceRowProps {
  device: TakeoverDevice;
  takeover: Pick<Takeover, 'state' | 'startedAt'>;
}

/** One device of a takeover, and what it reports of it. */
export function TakeoverDeviceRow({ device, takeover }: TakeoverDeviceRowProps) {
  const { online, expired, showing } = device;
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
        <Progress device={device} takeover={takeover} />
        {!online && <StateBadge state="offline" />}
        {expired && <StateBadge state="expired" />}
      </span>
    </Link>
  );
}

/** At its end, nothing is expected of devices any more. */
function Progress({ device: { ready, told, showing, shown }, takeover: { state, startedAt } }: TakeoverDeviceRowProps) {
  const { t } = useTranslation('releases');
  if (showing) return <StateBadge state="done" text={t('takeoverOnScreen')} />;
  if (state === 'ended') {
    if (startedAt === null) return null;
    if (shown) return <StateBadge state="done" text={t('takeoverIsShown')} />;
    return <Badge icon={<CrossIcon />}>{t('takeoverNoPlay')}</Badge>;
  }
  if (told) return <StateBadge state="processing" text={t('takeoverIsTold')} />;
  return ready ? <StateBadge state="planned" text={t('takeoverIsReady')} /> : <StateBadge state="waiting" />;
}
