import type { ReleasePriority } from '@ams/contract';
import { joined } from '../../ui/format/bidi.ts';
import { explainIssues } from '@ams/contract/messages/explain';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { scheduleIssues, scheduleOf } from '../../ui/form/scheduleDraft.ts';
import { ScheduleFields } from '../../ui/form/ScheduleFields.tsx';
import { NextIcon } from '../../ui/layout/icons.ts';
import { useScheduleWords } from '../../ui/format/schedule.ts';
import style from './OptionsCard.module.css';
import type { Order } from './order.ts';

interface OptionsCardProps {
  order: Order;
  onChange: (order: Order) => void;
}

/** Replace or add, priority and schedule; closed until someone wants more than the usual. */
export function OptionsCard({ order, onChange }: OptionsCardProps) {
  const { t } = useTranslation('releases');
  const words = useScheduleWords();
  const summary = joined([
    t(order.replace ? 'replaceShort' : 'addShort'),
    t(order.priority === 'urgent' ? 'urgent' : 'normal'),
    words(scheduleOf(order.schedule)),
  ]);
  return (
    <details className={style.options}>
      <summary>
        <span>
          <strong>{t('options')}</strong>
          <span className={`caption ${style.below}`}>{summary}</span>
        </span>
        <NextIcon className={style.chevron} />
      </summary>
      <div className={style.optionsBody}>
        <Labelled label={t('whatPlaysNow')} hint={t(order.replace ? 'replaceHint' : 'addHint')}>
          <Choice<'replace' | 'add'>
            label={t('whatPlaysNow')}
            value={order.replace ? 'replace' : 'add'}
            onChange={(value) => onChange({ ...order, replace: value === 'replace' })}
            options={[
              { value: 'replace', label: t('replace') },
              { value: 'add', label: t('addToRotation') },
            ]}
          />
        </Labelled>
        <Labelled label={t('priority')} hint={t(order.priority === 'urgent' ? 'urgentHint' : 'normalHint')}>
          <Choice<ReleasePriority>
            label={t('priority')}
            value={order.priority}
            onChange={(priority) => onChange({ ...order, priority })}
            options={[
              { value: 'normal', label: t('normal') },
              { value: 'urgent', label: t('urgent') },
            ]}
          />
        </Labelled>
        <ScheduleFields
          value={order.schedule}
          problem={explainIssues(scheduleIssues(order.schedule), contractMessages())[0]}
          onChange={(schedule) => onChange({ ...order, schedule })}
        />
      </div>
    </details>
  );
}
