import { useTranslation } from 'react-i18next';
import { useCopy } from '../ui/layout/copy.ts';
import { Mac } from '../ui/layout/DeviceLabel.tsx';
import { CopyIcon } from '../ui/layout/icons.ts';
import style from './CopyMac.module.css';

/** A MAC that a tap copies. */
export function CopyMac({ mac }: { mac: string }) {
  const { t } = useTranslation('devices');
  const copy = useCopy();
  return (
    <button
      type="button"
      className={style.mac}
      aria-label={t('copyMac', { mac })}
      onClick={() => void copy(mac, t('macCopied'))}
    >
      <Mac mac={mac} />
      <CopyIcon />
    </button>
  );
}
