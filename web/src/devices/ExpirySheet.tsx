import { addMonths, type Device, localTime } from '@ams/contract';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DATE_RANGE_YEARS } from '../platform/constants.ts';
import { Button } from '../ui/layout/Button.tsx';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { FieldFrame, TextControl } from '../ui/form/Field.tsx';
import { useNow } from '../ui/format/time.tsx';
import { changeDevice } from './actions.ts';
import { pickerRange } from './dates.ts';
import style from './ExpirySheet.module.css';

/** The wheel comes with the component kit, which no page needs before a date is picked. */
const DateWheel = lazy(() => import('../ui/form/DateWheel.tsx'));

const EXTENSIONS = [
  ['extendMonth', 1],
  ['extendHalfYear', 6],
  ['extendYear', 12],
] as const;

/** Sets the last day on which a device plays. */
export function ExpirySheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const today = localTime(useNow(), device.timeZone).date;
  return (
    <DateSheet
      title={t('setExpiry')}
      today={today}
      date={device.expiresAt}
      onSave={(date) => changeDevice(device, { expiresAt: date }, t('expirySet'))}
      onClose={onClose}
    />
  );
}

interface DateSheetProps {
  title: string;
  today: string;
  /** The date so far; null when there is none, or many. */
  date: string | null;
  /** True when it went well: the sheet closes. */
  onSave: (date: string) => Promise<boolean>;
  onClose: () => void;
}

/** Picks an expiry date. */
export function DateSheet({ title, today, date: before, onSave, onClose }: DateSheetProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const id = useId();
  const [date, setDate] = useState(before ?? today);
  const [saving, setSaving] = useState(false);
  const range = pickerRange(today, DATE_RANGE_YEARS);
  const choose = (next: string) => next >= range.min && next <= range.max && setDate(next);
  /** Time that was not used up is kept; a date that is over counts from today. */
  const from = before !== null && before > today ? before : today;
  const save = async () => {
    setSaving(true);
    const done = await onSave(date);
    setSaving(false);
    if (done) onClose();
  };
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <FieldFrame id={id} label={t('pickDate')} hint={t('expiryHint')}>
        <TextControl id={id} type="date" value={date} onChange={choose} />
      </FieldFrame>
      <div className={style.extensions}>
        {EXTENSIONS.map(([text, months]) => (
          <Button key={text} small onClick={() => choose(addMonths(from, months))}>
            {t(text)}
          </Button>
        ))}
      </div>
      <div className={style.wheel}>
        <Suspense>
          <DateWheel label={t('pickDate')} value={date} {...range} onChange={choose} />
        </Suspense>
      </div>
      <Button look="primary" block loading={saving} onClick={() => void save()}>
        {common('save')}
      </Button>
    </Dialog>
  );
}
