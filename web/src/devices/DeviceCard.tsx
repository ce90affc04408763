import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../platform/session.ts';
import { FailIcon, UsersIcon } from '../ui/icons.tsx';
import { useNow } from '../ui/time.tsx';
import { deviceTitle } from './actions.ts';
import { CopyMac } from './CopyMac.tsx';
import { ScreenPicture } from './ScreenPicture.tsx';
import { DownloadBadge, ExpiryBadge, OnScreenBadge, OnlineBadge, failureText } from './Truths.tsx';
import style from './devices.module.css';
import { contentOf, shownOn } from './truths.ts';

/** A row of the device list. All of it leads to the device, but the MAC, which is copied. */
export function DeviceCard({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const now = useNow();
  const content = contentOf(device);
  return (
    <article className={style.card} data-testid="device" data-mac={device.mac}>
      <div className={style.picture}>
        <ScreenPicture shown={shownOn(device, 'main', now)} />
      </div>
      <div className={style.text}>
        <Link to={`/mac/${device.id}`} className={style.open} dir="auto">
          {device.name || <span className="machine">{deviceTitle(device)}</span>}
        </Link>
        <OnScreenBadge device={device} />
      </div>
      <div className={style.line}>
        <OnlineBadge device={device} />
        <DownloadBadge device={device} />
        {leading && (
          <span className={style.owner}>
            <UsersIcon />
            <span className="visually-hidden">{t('owner')}: </span>
            <span className={style.clip}>{device.owner.username}</span>
          </span>
        )}
      </div>
      {content.state === 'failed' && (
        <p className={style.reason}>
          <FailIcon />
          {failureText(content)}
        </p>
      )}
      <div className={style.line}>
        <CopyMac mac={device.mac} />
        <span className={style.expiry}>
          <ExpiryBadge device={device} />
        </span>
      </div>
    </article>
  );
}
