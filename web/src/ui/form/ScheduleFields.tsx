import type { FieldError } from '@ams/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { weekdayNames } from '../format/schedule.ts';
import { Button } from '../layout/Button.tsx';
import { PlusIcon } from '../layout/icons.ts';
import { Pair } from '../layout/Pair.tsx';
import { FieldFrame, TextControl } from './Field.tsx';
import field from './Field.module.css';
import { Labelled } from './Labelled.tsx';
import { type ScheduleDraft, type Span, toggled, WEEKDAYS } from './scheduleDraft.ts';
import style from './ScheduleFields.module.css';
import { SpanRow } from './SpanRow.tsx';

interface ScheduleFieldsProps {
  value: ScheduleDraft;
  /** What is wrong with it; its path names the field. */
  problem: FieldError | undefined;
  onChange: (value: ScheduleDraft) => void;
}

type ScheduleField = 'from' | 'to' | 'hours';

/** The field of a problem; one of the weekdays or of the whole is shown under the last day. */
const fieldOf = (path: string): ScheduleField =>
  path.startsWith('hours') ? 'hours' : path.startsWith('from') ? 'from' : 'to';

const SPANS_MAX = 24;
const newSpan = (spans: readonly Span[]): Span => ({ id: (spans.at(-1)?.id ?? 0) + 1, from: '09:00', to: '18:00' });

/** The first and the last day, weekdays and hours of something that plays, by the clock of the device. */
export function ScheduleFields({ value, problem, onChange }: ScheduleFieldsProps) {
  const { t, i18n } = useTranslation('releases');
  const ids = [useId(), useId()] as const;
  const problemOf = (name: ScheduleField) => (problem && fieldOf(problem.path) === name ? problem.message : undefined);
  const days = weekdayNames(i18n.language, 'column');
  const fullDays = weekdayNames(i18n.language, 'long');
  return (
    <>
      <Pair>
        <FieldFrame id={ids[0]} label={t('fromDate')} error={problemOf('from')}>
          <TextControl
            id={ids[0]}
            type="date"
            value={value.from}
            error={problemOf('from')}
            onChange={(from) => onChange({ ...value, from })}
          />
        </FieldFrame>
        <FieldFrame id={ids[1]} label={t('toDate')} error={problemOf('to')}>
          <TextControl
            id={ids[1]}
            type="date"
            value={value.to}
            error={problemOf('to')}
            onChange={(to) => onChange({ ...value, to })}
          />
        </FieldFrame>
      </Pair>
      <Labelled label={t('weekdays')}>
        <div className={style.weekdays} role="group" aria-label={t('weekdays')}>
          {WEEKDAYS.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={value.weekdays.includes(day)}
              onClick={() => onChange({ ...value, weekdays: toggled(value.weekdays, day) })}
            >
              <span aria-hidden>{days[day - 1]}</span>
              <span className="visually-hidden">{fullDays[day - 1]}</span>
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
        {problemOf('hours') && (
          <p className={field.error} role="alert">
            {problemOf('hours')}
          </p>
        )}
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
