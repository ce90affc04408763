import type { BatchChange, BatchOrder } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { batchPreviewQuery, type Target } from '../../queries/devices.ts';
import { useFormat } from '../../ui/format/format.ts';
import style from './batch.module.css';
import { devicesText } from './words.ts';

export type ExpiryOrder = Extract<BatchOrder, { action: 'expire' | 'extend' }>;

/** Changes that are shown in full. */
const SHOWN = 3;

const sumOf = (changes: BatchChange[]): number => changes.reduce((sum, { devices }) => sum + devices, 0);

/** What an expiry order changes: from which dates to which, and in red how many devices would expire earlier. */
export function ExpiryPreview({ target, order }: { target: Target; order: ExpiryOrder }) {
  const { t } = useTranslation('devices');
  const { date, number } = useFormat();
  const { data } = useQuery(batchPreviewQuery({ ...target, ...order }));
  if (!data) return <p className={style.preview} />;
  const dateText = (day: string | null) => (day === null ? t('noExpiry') : date(day));
  const others = sumOf(data.changes.slice(SHOWN));
  return (
    <div className={style.preview} aria-live="polite" data-testid="preview">
      {data.changes.slice(0, SHOWN).map(({ from, to, devices }) => (
        <p key={`${from} ${to}`}>
          {t('previewChange', { devices: devicesText(devices), from: dateText(from), to: dateText(to) })}
        </p>
      ))}
      {others > 0 && <p className="caption">{t('previewMore', { devices: devicesText(others) })}</p>}
      {data.unchanged > 0 && (
        <p className="caption">{t('previewUnchanged', { devices: devicesText(data.unchanged) })}</p>
      )}
      {data.earlier > 0 && (
        <p className={style.earlier}>{t('previewEarlier', { count: data.earlier, n: number(data.earlier) })}</p>
      )}
    </div>
  );
}
