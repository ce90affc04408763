import type { BatchJob } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/format/format.ts';
import { Bar } from '../../ui/transfer/Bar.tsx';
import style from './batch.module.css';
import { batchTitle } from './words.ts';

/** How far the batch is that runs. */
export function BatchProgress({ job }: { job: BatchJob }) {
  const { t } = useTranslation('devices');
  const { number } = useFormat();
  const reached = job.done + job.failed;
  const title = batchTitle(job.action, job.total);
  return (
    <section className={style.progress} aria-label={title}>
      <strong>{title}</strong>
      <span className="numbers">{t('contentOf', { done: number(reached), total: number(job.total) })}</span>
      <div>
        <Bar label={title} share={job.total === 0 ? 1 : reached / job.total} />
      </div>
      <p className="caption">{t('batchGoesOn')}</p>
    </section>
  );
}
