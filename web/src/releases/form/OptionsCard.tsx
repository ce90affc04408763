import type { ReleasePriority } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { SpanRow } from '../../ui/form/SpanRow.tsx';
import { Pair } from '../../ui/layout/Pair.tsx';
import { NextIcon, PlusIcon } from '../../ui/layout/icons.ts';
import { useScheduleWords, weekdayNames } from '../../ui/format/schedule.ts';
import style from './OptionsCard.module.css';
import { type Order, type ScheduleDraft, type Span, WEEKDAYS, scheduleIssues, scheduleOf, toggled } from './order.ts';

interface OptionsCardProps {
  order: Order;
  onChange: (order: Order) => void;
}

/** Replace or add, priority and schedule; closed until someone wants more than the usual. */
export function OptionsCard({ order, onChange }: OptionsCardProps) {
  const { t } = useTranslation('releases');
  const words = useScheduleWords();
  const summary = [
    t(order.replace ? 'replaceShort' : 'addShort'),
    t(order.priority === 'urgent' ? 'urgent' : 'normal'),
    words(scheduleOf(order.schedule)),
  ].join(' · ');
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
        <ScheduleFields value={order.schedule} onChange={(schedule) => onChange({ ...order, schedule })} />
      </div>
    </details>
  );
}

interface ScheduleFieldsProps {
  value: ScheduleDraft;
  onChange: (value: ScheduleDraft) => void;
}

const SPANS_MAX = 24;
const newSpan = (spans: readonly Span[]): Span => ({ id: (spans.at(-1)?.id ?? 0) + 1, from: '09:00', to: '18:00' });

function ScheduleFields({ value, onChange }: ScheduleFieldsProps) {
  const { t, i18n } = useTranslation('releases');
  const ids = [useId(), useId()] as const;
  const problem = explainIssues(scheduleIssues(value), contractMessages())[0];
  const days = weekdayNames(i18n.language, 'short');
  const fullDays = weekdayNames(i18n.language, 'long');
  return (
    <>
      <Pair>
        <FieldFrame id={ids[0]} label={t('fromDate')}>
          <TextControl id={ids[0]} type="date" value={value.from} onChange={(from) => onChange({ ...value, from })} />
        </FieldFrame>
        <FieldFrame
          id={ids[1]}
          label={t('toDate')}
          error={problem?.path.startsWith('hours') ? undefined : problem?.message}
        >
          <TextControl id={ids[1]} type="date" value={value.to} onChange={(to) => onChange({ ...value, to })} />
        </FieldFrame>
      </Pair>
      <Labelled label={t('weekdays')}>
        <div className={style.weekdays} role="group" aria-label={t('weekdays')}>
          {WEEKDAYS.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={value.weekdays.includes(day)}
              aria-label={fullDays[day - 1]}
              onClick={() => onChange({ ...value, weekdays: toggled(value.weekdays, day) })}
            >
              {days[day - 1]}
            </button>
          ))}
        </div>
      </Labelled>
      <Labelled label={t('hours')} hint={t('scheduleHint')}>
        {value.hours.map((span, index) => (
          <SpanRow
            key={span.id}
            span={span}
            onChange={(next) => onChange({ ...value, hours: value.hours.with(index, next) })}
            onRemove={() => onChange({ ...value, hours: value.hours.toSpliced(index, 1) })}
          />
        ))}
        {value.hours.length < SPANS_MAX && (
          <Button
            icon={<PlusIcon />}
            onClick={() => onChange({ ...value, hours: [...value.hours, newSpan(value.hours)] })}
          >
            {t('addHours')}
          </Button>
        )}
      </Labelled>
    </>
  );
}
