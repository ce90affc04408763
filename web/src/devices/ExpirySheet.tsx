import { type Device, localTime } from '@ams/contract';
import { DatePickerView } from 'antd-mobile';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DATE_RANGE_YEARS } from '../platform/constants.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FieldFrame, TextControl } from '../ui/Field.tsx';
import { useNow } from '../ui/time.tsx';
import { changeDevice } from './actions.ts';
import { addMonths, dateOf, isoOf, pickerRange } from './dates.ts';
import style from './devices.module.css';

const EXTENSIONS = [
  ['extendMonth', 1],
  ['extendHalfYear', 6],
  ['extendYear', 12],
] as const;

/** Sets the last day on which a machine plays. */
export function ExpirySheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const id = useId();
  const today = localTime(useNow(), device.timeZone).date;
  const [date, setDate] = useState(device.expiresAt ?? today);
  const [saving, setSaving] = useState(false);
  const range = pickerRange(today, DATE_RANGE_YEARS);
  const choose = (next: string) => next >= range.min && next <= range.max && setDate(next);
  /** Time that was not used up is kept; a date that is over counts from today. */
  const from = device.expiresAt !== null && device.expiresAt > today ? device.expiresAt : today;
  const save = async () => {
    setSaving(true);
    const done = await changeDevice(device, { expiresAt: date }, t('expirySet'));
    setSaving(false);
    if (done) onClose();
  };
  return (
    <Dialog kind="sheet" title={t('setExpiry')} onClose={onClose}>
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
      {/* The field above says and sets the same for keyboards and screen readers. */}
      <div aria-hidden className={style.wheel}>
        <DatePickerView
          value={dateOf(date)}
          min={dateOf(range.min)}
          max={dateOf(range.max)}
          mouseWheel
          onChange={(picked) => choose(isoOf(picked))}
        />
      </div>
      <Button look="primary" block loading={saving} onClick={() => void save()}>
        {common('save')}
      </Button>
    </Dialog>
  );
}
