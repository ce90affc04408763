import { EXCEPTIONS_MAX, SPANS_MAX, type Weekday } from '@ams/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { weekdayNames } from '../../ui/format/schedule.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { CopyIcon, NextIcon, PlusIcon, TrashIcon } from '../../ui/layout/icons.ts';
import {
  copiedToAll,
  type ExceptionDraft,
  type HoursDraft,
  newException,
  newSpan,
  type SpanDraft,
  WEEKDAYS,
} from './draft.ts';
import style from './hours.module.css';
import { useSpanWords } from './words.ts';
import { SpanRow } from '../../ui/form/SpanRow.tsx';

interface HoursEditorProps {
  draft: HoursDraft;
  problems: Partial<Record<string, string>>;
  onChange: (draft: HoursDraft) => void;
}

/** A week with the hours of each day, and days of the calendar with hours of their own. */
export function HoursEditor({ draft, problems, onChange }: HoursEditorProps) {
  const { t } = useTranslation('devices');
  const [open, setOpen] = useState<Weekday>();
  const { exceptions } = draft;
  const addException = () => onChange({ ...draft, exceptions: [...exceptions, newException()] });
  return (
    <>
      <ul className={style.week}>
        {WEEKDAYS.map((day) => (
          <Day
            key={day}
            day={day}
            spans={draft.weekly[day]}
            problem={problems[`weekly.${day}`]}
            isOpen={open === day}
            onToggle={() => setOpen(open === day ? undefined : day)}
            onChange={(spans) => onChange({ ...draft, weekly: { ...draft.weekly, [day]: spans } })}
            onCopy={() => onChange(copiedToAll(draft, day))}
          />
        ))}
      </ul>
      <Labelled label={t('hoursExceptions')} hint={t('hoursExceptionsHint')}>
        {exceptions.map((exception, index) => (
          <Exception
            key={exception.id}
            exception={exception}
            problem={problems[`exceptions.${index}`]}
            onChange={(next) => onChange({ ...draft, exceptions: exceptions.with(index, next) })}
            onRemove={() => onChange({ ...draft, exceptions: exceptions.toSpliced(index, 1) })}
          />
        ))}
        {exceptions.length < EXCEPTIONS_MAX && (
          <Button icon={<PlusIcon />} onClick={addException}>
            {t('hoursAddException')}
          </Button>
        )}
      </Labelled>
    </>
  );
}

interface DayProps {
  day: Weekday;
  spans: SpanDraft[];
  problem: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (spans: SpanDraft[]) => void;
  onCopy: () => void;
}

/** A day of the week: its hours in a line, and fields for them when it is open. */
function Day({ day, spans, problem, isOpen, onToggle, onChange, onCopy }: DayProps) {
  const { t, i18n } = useTranslation('devices');
  const id = useId();
  const name = weekdayNames(i18n.language, 'long')[Number(day) - 1] ?? '';
  const words = useSpanWords()(spans);
  return (
    <li className={style.day}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <strong>{name}</strong>
        <span className={spans.length > 0 ? 'numbers' : 'caption'}>{words || t('hoursDark')}</span>
        <NextIcon className={style.chevron} />
      </button>
      {problem && (
        <p className={style.problem} role="alert">
          {problem}
        </p>
      )}
      <div id={id} className={style.spans} hidden={!isOpen} role="group" aria-label={name}>
        <Spans spans={spans} onChange={onChange} />
        <Button small icon={<CopyIcon />} onClick={onCopy}>
          {t('hoursCopy')}
        </Button>
      </div>
    </li>
  );
}

function Spans({ spans, onChange }: { spans: SpanDraft[]; onChange: (spans: SpanDraft[]) => void }) {
  const { t } = useTranslation('releases');
  return (
    <>
      {spans.map((span, index) => (
        <SpanRow
          key={span.id}
          span={span}
          onChange={(next) => onChange(spans.with(index, next))}
          onRemove={() => onChange(spans.toSpliced(index, 1))}
        />
      ))}
      {spans.length < SPANS_MAX && (
        <Button small icon={<PlusIcon />} onClick={() => onChange([...spans, newSpan()])}>
          {t('addHours')}
        </Button>
      )}
    </>
  );
}

interface ExceptionProps {
  exception: ExceptionDraft;
  problem: string | undefined;
  onChange: (exception: ExceptionDraft) => void;
  onRemove: () => void;
}

function Exception({ exception, problem, onChange, onRemove }: ExceptionProps) {
  const { t } = useTranslation('devices');
  const id = useId();
  const { date, hours } = exception;
  return (
    <div className={style.exception} role="group" aria-label={date || t('hoursAddException')}>
      <FieldFrame id={id} label={t('hoursDate')} error={problem} hint={hours.length === 0 ? t('hoursDark') : undefined}>
        <TextControl id={id} type="date" value={date} onChange={(next) => onChange({ ...exception, date: next })} />
      </FieldFrame>
      <Spans spans={hours} onChange={(next) => onChange({ ...exception, hours: next })} />
      <Button small icon={<TrashIcon />} onClick={onRemove}>
        {t('hoursRemoveException')}
      </Button>
    </div>
  );
}
