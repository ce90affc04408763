import type { App } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '../ui/layout/Button.tsx';
import { DownIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { QrImage } from '../ui/layout/QrImage.tsx';
import style from './apps.module.css';

/** The APK for this device, and as a QR code for a device's or a phone's camera. `url` is absolute. */
export function Download({ url, app }: { url: string; app: App | undefined }) {
  const { t } = useTranslation('apps');
  const { host } = new URL(url);
  const elsewhere = host !== window.location.host;
  const fileName = app ? `${app.package}-${app.version}.apk` : undefined;
  return (
    <Card title={t('download')}>
      <div className={style.download}>
        <QrImage text={url} size={168} label={t('qrLabel')} />
        <div className={style.ways}>
          <p className="caption">{t('qrHint')}</p>
          <ButtonAnchor href={url} download={fileName} look="primary" icon={<DownIcon />} block>
            {t('downloadApk')}
          </ButtonAnchor>
          {elsewhere && <p className="caption">{t('linksTo', { host })}</p>}
        </div>
      </div>
    </Card>
  );
}
