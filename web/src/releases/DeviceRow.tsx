import type { Release, ReleaseDevice } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { contractMessages } from '../platform/i18n.ts';
import { Button } from '../ui/layout/Button.tsx';
import { useFormat } from '../ui/format/format.ts';
import { DeviceLabel, Mac } from '../ui/layout/DeviceLabel.tsx';
import { CrossIcon, FailIcon, ReloadIcon } from '../ui/layout/icons.ts';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { tryAgain } from './actions.ts';
import style from './DeviceRow.module.css';

const percentOf = ({ doneBytes, totalBytes }: ReleaseDevice): number =>
  totalBytes > 0 ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : 0;

/** The device's reason as text; an unknown reason is shown unchanged. */
function reasonText(reason: string): string {
  const words: Partial<Record<string, string>> = contractMessages().downloads;
  return words[reason] ?? reason;
}

/** One device of a release and how far it is; a failed one can be retried. */
export function DeviceRow({ device, release }: { device: ReleaseDevice; release: Release }) {
  const { state } = device;
  return (
    <div className={style.device} data-testid="release-device" data-mac={device.mac} data-state={state}>
      <Link to={`/mac/${device.id}`} className={style.deviceLink}>
        <span className={style.deviceName}>
          <strong dir="auto">
            <DeviceLabel device={device} />
          </strong>
          {device.name && (
            <span className="caption">
              <Mac mac={device.mac} />
            </span>
          )}
        </span>
        <span className={style.deviceBadges}>
          <Progress device={device} />
          {state !== 'done' && !device.online && <StateBadge state="offline" />}
        </span>
        {state === 'downloading' && <Download device={device} />}
      </Link>
      {state === 'failed' && (
        <span className={style.failure}>
          <span className={style.reason}>
            <FailIcon />
            {reasonText(device.reason ?? '')}
          </span>
          {release.withdrawnAt === null && <TryAgain release={release} device={device} />}
        </span>
      )}
    </div>
  );
}

function Progress({ device }: { device: ReleaseDevice }) {
  const { t } = useTranslation('releases');
  switch (device.state) {
    case 'downloading':
      return <StateBadge state="processing" text={t('downloadingPercent', { percent: percentOf(device) })} />;
    case 'missed':
      return <Badge icon={<CrossIcon />}>{t('missed')}</Badge>;
    case 'planned':
    case 'waiting':
    case 'done':
    case 'failed':
      return <StateBadge state={device.state} />;
  }
}

function Download({ device }: { device: ReleaseDevice }) {
  const { t } = useTranslation('releases');
  const { bytes } = useFormat();
  return (
    <span className={style.download}>
      <span className={style.track} data-bar>
        <i style={{ width: `${percentOf(device)}%` }} />
      </span>
      <span className="caption numbers">
        {t('bytesOf', { done: bytes(device.doneBytes), total: bytes(device.totalBytes) })}
      </span>
    </span>
  );
}

function TryAgain({ release, device }: { release: Release; device: ReleaseDevice }) {
  const { t } = useTranslation('releases');
  return (
    <Button changes small icon={<ReloadIcon />} onClick={() => tryAgain(release.id, device.id)}>
      {t('retry')}
    </Button>
  );
}
