import type { BatchOrder } from '@ams/contract';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DATE_RANGE_YEARS } from '../platform/constants.ts';
import type { Target } from '../queries/devices.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { Choice } from '../ui/form/Choice.tsx';
import { FieldFrame, TextControl } from '../ui/form/Field.tsx';
import { useTyped } from '../ui/form/typed.ts';
import { useFormat } from '../ui/format/format.ts';
import { useNow } from '../ui/format/time.tsx';
import { Button } from '../ui/layout/Button.tsx';
import { ChangePreview } from './batch/ChangePreview.tsx';
import { isoOf, pickerRange } from './dates.ts';
import style from './ExpirySheet.module.css';

/** The wheel comes with the component kit, which no page needs before a date is picked. */
const DateWheel = lazy(() => import('../ui/form/DateWheel.tsx'));

const EXTENSIONS = [
  [1, 'extendMonth'],
  [6, 'extendHalfYear'],
  [12, 'extendYear'],
] as const;

export type ExpiryOrder = Extract<BatchOrder, { action: 'expire' | 'extend' }>;

interface Values {
  mode: ExpiryOrder['action'] | 'never';
  months: number;
  date: string;
}

interface ExpirySheetProps {
  title: string;
  target: Target;
  /** The date so far; null when there is none, or many. */
  date: string | null;
  /** True when it went well: the sheet closes. */
  onSave: (order: ExpiryOrder) => Promise<boolean>;
  onClose: () => void;
}

/** Extends devices, each from its own date, sets one date for all, or takes their dates away, after showing what that changes. */
export function ExpirySheet({ title, target, date: before, onSave, onClose }: ExpirySheetProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { date: format } = useFormat();
  const today = isoOf(new Date(useNow()));
  const { values, set } = useTyped<Values>(
    { mode: 'extend', months: 1, date: before ?? today },
    { as: `expiry of ${JSON.stringify(target)}` },
  );
  const { mode, months, date } = values;
  const [saving, setSaving] = useState(false);
  const orders: Record<Values['mode'], ExpiryOrder> = {
    extend: { action: 'extend', months },
    expire: { action: 'expire', date },
    never: { action: 'expire', date: null },
  };
  const order = orders[mode];
  const save = async () => {
    setSaving(true);
    const done = await onSave(order);
    setSaving(false);
    if (done) onClose();
  };
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <Choice
        label={t('expiryMode')}
        value={mode}
        onChange={(next) => set('mode', next)}
        options={[
          { value: 'extend', label: t('extendBy') },
          { value: 'expire', label: t('setTo') },
          { value: 'never', label: t('noExpiry') },
        ]}
      />
      {mode === 'extend' && (
        <>
          <p className="caption">{t('extendHint')}</p>
          <Choice
            label={t('extendBy')}
            value={months}
            onChange={(next) => set('months', next)}
            options={EXTENSIONS.map(([value, text]) => ({ value, label: t(text) }))}
          />
        </>
      )}
      {mode === 'expire' && <DateChoice today={today} date={date} onChange={(next) => set('date', next)} />}
      <ChangePreview target={target} order={order} textOf={(day) => (day === null ? t('noExpiry') : format(day))} />
      <Button look="primary" block loading={saving} onClick={() => void save()}>
        {common('save')}
      </Button>
    </Dialog>
  );
}

interface DateChoiceProps {
  today: string;
  date: string;
  onChange: (date: string) => void;
}

function DateChoice({ today, date, onChange }: DateChoiceProps) {
  const { t } = useTranslation('devices');
  const id = useId();
  const range = pickerRange(today, DATE_RANGE_YEARS);
  const choose = (next: string) => next >= range.min && next <= range.max && onChange(next);
  return (
    <>
      <FieldFrame id={id} label={t('pickDate')} hint={t('expiryHint')}>
        <TextControl id={id} type="date" value={date} onChange={choose} />
      </FieldFrame>
      <div className={style.wheel}>
        <Suspense>
          <DateWheel label={t('pickDate')} value={date} {...range} onChange={choose} />
        </Suspense>
      </div>
    </>
  );
}
