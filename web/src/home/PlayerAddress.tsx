import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../platform/chunks.ts';
import style from './FirstSteps.module.css';

/** Loaded until the first device. */
const QrImage = later(
  () => import('../ui/layout/QrImage.tsx'),
  (module) => module.QrImage,
);
const CopyButton = later(
  () => import('../ui/layout/CopyButton.tsx'),
  (module) => module.CopyButton,
);

const QR_SIZE = 200;

/** The player's full address: to be typed, copied or scanned on a device. Its parts arrive in places of their size. */
export function PlayerAddress() {
  const { t } = useTranslation('home');
  const address = `${location.origin}/player/`;
  return (
    <div className={style.player}>
      <div style={{ width: QR_SIZE, height: QR_SIZE }}>
        <Suspense>
          <QrImage text={address} size={QR_SIZE} label={t('playerAddress')} />
        </Suspense>
      </div>
      <div>
        <p className="caption">{t('playerAddress')}</p>
        <p className="device" data-testid="player-address">
          {address}
        </p>
        <div className={style.copy}>
          <Suspense>
            <CopyButton text={address} label={t('copyAddress')} said={t('addressCopied')} />
          </Suspense>
        </div>
      </div>
    </div>
  );
}
