import { useTranslation } from 'react-i18next';
import { toast } from '../platform/toast.ts';
import { Mac } from '../ui/layout/DeviceLabel.tsx';
import { CopyIcon } from '../ui/layout/icons.ts';
import style from './CopyMac.module.css';

/** A MAC that a tap copies. */
export function CopyMac({ mac }: { mac: string }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(mac);
      toast.success(t('macCopied'));
    } catch {
      // No clipboard on plain http, or it is not allowed.
      toast.fail(common('copyFailed'));
    }
  };
  return (
    <button type="button" className={style.mac} aria-label={t('copyMac', { mac })} onClick={() => void copy()}>
      <Mac mac={mac} />
      <CopyIcon />
    </button>
  );
}
