import { useTranslation } from 'react-i18next';
import { toast } from '../platform/toast.ts';
import { Button } from '../ui/layout/Button.tsx';
import { CopyIcon } from '../ui/layout/icons.ts';
import { QrImage } from '../ui/layout/QrImage.tsx';
import style from './FirstSteps.module.css';

/** The player's full address: to be typed, copied or scanned on a device. */
export function PlayerAddress() {
  const { t } = useTranslation('home');
  const address = `${location.origin}/player/`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toast.success(t('addressCopied'));
    } catch {
      toast.fail(t('addressNotCopied'));
    }
  };
  return (
    <div className={style.player}>
      <QrImage text={address} label={t('playerAddress')} />
      <div>
        <p className="caption">{t('playerAddress')}</p>
        <p className="device" data-testid="player-address">
          {address}
        </p>
        <Button small icon={<CopyIcon />} onClick={copy}>
          {t('copyAddress')}
        </Button>
      </div>
    </div>
  );
}
