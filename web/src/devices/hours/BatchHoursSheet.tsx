import { type BatchOrder, WorkingHours } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import type { Target } from '../../queries/devices.ts';
import { ChangePreview } from '../batch/ChangePreview.tsx';
import { HoursSheet } from './HoursSheet.tsx';
import { useHoursWords } from './words.ts';

interface BatchHoursSheetProps {
  title: string;
  target: Target;
  /** True when it went well: the sheet closes. */
  onSave: (order: BatchOrder) => Promise<boolean>;
  onClose: () => void;
}

/** Sets the working hours of many devices, after showing what that changes. */
export function BatchHoursSheet({ title, target, onSave, onClose }: BatchHoursSheetProps) {
  const { t } = useTranslation('devices');
  const words = useHoursWords();
  const textOf = (value: string | null) =>
    value === null ? t('hoursDefault') : words(WorkingHours.parse(JSON.parse(value)));
  return (
    <HoursSheet
      title={title}
      about={JSON.stringify(target)}
      hours={null}
      none={t('hoursDefault')}
      preview={(workingHours) => (
        <ChangePreview target={target} order={{ action: 'hours', workingHours }} textOf={textOf} />
      )}
      onSave={(workingHours) => onSave({ action: 'hours', workingHours })}
      onClose={onClose}
    />
  );
}
