import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { useCopy } from '../ui/layout/copy.ts';
import { CopyIcon } from '../ui/layout/icons.ts';
import { QrImage } from '../ui/layout/QrImage.tsx';
import style from './FirstSteps.module.css';

/** The player's full address: to be typed, copied or scanned on a device. */
export function PlayerAddress() {
  const { t } = useTranslation('home');
  const address = `${location.origin}/player/`;
  const copy = useCopy();
  return (
    <div className={style.player}>
      <QrImage text={address} label={t('playerAddress')} />
      <div>
        <p className="caption">{t('playerAddress')}</p>
        <p className="device" data-testid="player-address">
          {address}
        </p>
        <Button small icon={<CopyIcon />} onClick={() => copy(address, t('addressCopied'))}>
          {t('copyAddress')}
        </Button>
      </div>
    </div>
  );
}
