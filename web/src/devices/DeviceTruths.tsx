import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useReadOnly } from '../platform/session.ts';
import { useFormat } from '../ui/format/format.ts';
import { ScanIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { RelativeTime } from '../ui/format/time.tsx';
import { DownloadBadge, ExpiryBadge, OnScreenBadge, OnlineBadge, failureText } from './Truths.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Bar } from '../ui/transfer/Bar.tsx';
import style from './DeviceTruths.module.css';
import { contentOf } from './truths.ts';
import { DeviceVerdictCard } from './Verdict.tsx';

/** The verdict on a device, and the three truths behind it side by side, each with what explains it. */
export function DeviceTruths({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  return (
    <Card>
      {device.pairedAt === null ? <NotPaired /> : <DeviceVerdictCard device={device} />}
      <dl className={style.rows}>
        <div>
          <dt>{t('connected')}</dt>
          <dd>
            <OnlineBadge device={device} />
            {!device.online && <LastSeen device={device} />}
          </dd>
        </div>
        <div>
          <dt>{t('content')}</dt>
          <dd>
            <DownloadBadge device={device} />
            <ContentDetail device={device} />
          </dd>
        </div>
        <div>
          <dt>{t('onScreen')}</dt>
          <dd>
            <OnScreenBadge device={device} />
          </dd>
        </div>
        <div>
          <dt>{t('expiry')}</dt>
          <dd>
            <ExpiryBadge device={device} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

/** A device that was only added: how it comes to life. */
function NotPaired() {
  const { t } = useTranslation('devices');
  const readOnly = useReadOnly();
  const notice = (
    <Notice tone="primary" icon={<ScanIcon />}>
      <strong>{t('notPaired')}</strong>
      {t('notPairedHint')}
    </Notice>
  );
  if (readOnly) return notice;
  return (
    <Link to="/scancode" className={style.unpaired}>
      {notice}
    </Link>
  );
}

function LastSeen({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  return (
    <span className="caption">
      {device.lastSeenAt ? (
        <>
          {t('lastSeen')} <RelativeTime at={device.lastSeenAt} />
        </>
      ) : (
        t('neverSeen')
      )}
    </span>
  );
}

/** What a download that has not begun waits for. */
function waitsFor({ online, pairedAt }: Device) {
  if (pairedAt === null) return 'contentWaitingUnpaired';
  return online ? 'contentWaiting' : 'contentWaitingOffline';
}

function ContentDetail({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { bytes } = useFormat();
  const content = contentOf(device);
  if (content.state === 'done') return <span className="caption">{t('contentDone')}</span>;
  if (content.state === 'failed') return <span className={style.failure}>{failureText(content)}</span>;
  if (content.state === 'waiting') return <span className="caption">{t(waitsFor(device))}</span>;
  return (
    <span className={style.progress}>
      <Bar label={t('content')} share={content.percent / 100} />
      <span className="caption">
        {t('contentOf', { done: bytes(content.doneBytes), total: bytes(content.totalBytes) })}
      </span>
    </span>
  );
}
