import type { BatchChange, BatchOrder } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { batchPreviewQuery, type Target } from '../../queries/devices.ts';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { isolated } from '../../ui/format/bidi.ts';
import { useFormat } from '../../ui/format/format.ts';
import style from './batch.module.css';
import { devicesText } from './words.ts';

/** Changes that are shown in full. */
const SHOWN = 3;

const sumOf = (changes: BatchChange[]): number => changes.reduce((sum, { devices }) => sum + devices, 0);

interface ChangePreviewProps {
  target: Target;
  order: BatchOrder;
  /** How a value is written; null: there is none. */
  textOf: (value: string | null) => string;
}

/** What an order changes: from which values to which, and in red how many devices would expire earlier. */
export function ChangePreview({ target, order, textOf }: ChangePreviewProps) {
  const { t } = useTranslation('devices');
  const { number } = useFormat();
  const { data, error, isPlaceholderData, refetch } = useQuery(batchPreviewQuery({ ...target, ...order }));
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => refetch()} />;
    return <p className={style.preview} />;
  }
  const others = sumOf(data.changes.slice(SHOWN));
  return (
    // That of the order before only keeps the place.
    <div className={style.preview} aria-live="polite" aria-busy={isPlaceholderData} data-testid="preview">
      {data.changes.slice(0, SHOWN).map(({ from, to, devices }) => (
        <p key={`${from} ${to}`}>
          {t('previewChange', {
            devices: devicesText(devices),
            from: isolated(textOf(from)),
            to: isolated(textOf(to)),
          })}
        </p>
      ))}
      {others > 0 && <p className="caption">{t('previewMore', { devices: devicesText(others) })}</p>}
      {data.unchanged > 0 && order.action !== 'delete' && (
        <p className="caption">{t('previewUnchanged', { devices: devicesText(data.unchanged) })}</p>
      )}
      {data.earlier > 0 && (
        <p className={style.earlier}>{t('previewEarlier', { count: data.earlier, n: number(data.earlier) })}</p>
      )}
    </div>
  );
}
