import type { Ad } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { adDevicesQuery } from '../queries/ads.ts';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { DeviceLabel } from '../ui/layout/DeviceLabel.tsx';
import { PlayIcon } from '../ui/layout/icons.ts';
import { SheetList, SheetRow } from '../ui/list/SheetList.tsx';

/** The devices of an ad, with their state. */
export function AdDevices({ ad, onClose }: { ad: Pick<Ad, 'id'>; onClose: () => void }) {
  const { t } = useTranslation('ads');
  return (
    <SheetList
      title={t('whereItPlays')}
      query={adDevicesQuery(ad.id)}
      idOf={({ id }) => id}
      empty={t('playsNowhere')}
      onClose={onClose}
      render={(device) => (
        <SheetRow
          title={
            <Link to={`/mac/${device.id}`}>
              <strong dir="auto">
                <DeviceLabel device={device} />
              </strong>
            </Link>
          }
          caption={<Link to={`/releases/${device.releaseId}`}>{t('itsRelease')}</Link>}
          end={
            <>
              {device.onScreen ? (
                <Badge tone="good" icon={<PlayIcon />}>
                  {t('onScreenNow')}
                </Badge>
              ) : (
                <StateBadge state={device.state === 'downloading' ? 'processing' : device.state} />
              )}
              {!device.online && <StateBadge state="offline" />}
            </>
          }
        />
      )}
    />
  );
}
