import type { User } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/format.ts';
import { Bar } from '../transfer/Bar.tsx';

interface StorageUseProps {
  user: Pick<User, 'usedBytes' | 'quotaBytes'>;
  /** Bytes for users without a quota of their own; 0 is no limit. */
  defaultQuota: number;
}

/** How much of its storage quota a user has used. */
export function StorageUse({ user, defaultQuota }: StorageUseProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const quota = user.quotaBytes ?? defaultQuota;
  const used = bytes(user.usedBytes);
  if (quota === 0) return <span>{t('storageUsed', { used })}</span>;
  const text = t('storageOf', { used, quota: bytes(quota) });
  return (
    <span>
      {text}
      <Bar label={text} share={Math.min(1, user.usedBytes / quota)} />
    </span>
  );
}
