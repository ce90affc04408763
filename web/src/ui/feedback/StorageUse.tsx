import type { User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/format.ts';
import { settingsQuery } from '../settings.ts';
import { Bar } from '../transfer/Bar.tsx';

/** How much of its storage quota a user has used. */
export function StorageUse({ user }: { user: Pick<User, 'usedBytes' | 'quotaBytes'> }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const settings = useQuery(settingsQuery);
  const quota = user.quotaBytes ?? settings.data?.quotaBytes ?? 0;
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
