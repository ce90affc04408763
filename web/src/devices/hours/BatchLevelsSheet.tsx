import { type BatchOrder, Levels } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import type { Target } from '../../queries/devices.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { useTyped } from '../../ui/form/typed.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { ChangePreview } from '../batch/ChangePreview.tsx';
import { draftOf, type LevelDraft, LevelFields, levelHoursOf, problemOf } from './LevelsSheet.tsx';
import { useLevelsWords } from './words.ts';

const USUAL = 100;

interface BatchLevelsSheetProps {
  title: string;
  target: Target;
  /** True when it went well: the sheet closes. */
  onSave: (order: BatchOrder) => Promise<boolean>;
  onClose: () => void;
}

/** Sets the volume or the brightness of many devices, after showing what that changes. */
export function BatchLevelsSheet({ title, target, onSave, onClose }: BatchLevelsSheetProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { values, set } = useTyped<Record<'volume' | 'brightness', LevelDraft | undefined>>(
    { volume: undefined, brightness: undefined },
    { as: `levels of ${JSON.stringify(target)}` },
  );
  const { volume, brightness } = values;
  const words = useLevelsWords();
  const drafts = [volume, brightness].filter((draft) => draft !== undefined);
  const canSave = drafts.length > 0 && drafts.every((draft) => problemOf(draft) === undefined);
  const order = {
    action: 'levels' as const,
    ...(volume && { volume: volume.value, volumeHours: levelHoursOf(volume) }),
    ...(brightness && { brightness: brightness.value, brightnessHours: levelHoursOf(brightness) }),
  };
  const textOf = (value: string | null) => (value === null ? '' : words(Levels.parse(JSON.parse(value))));
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <OptionalLevel label={t('volume')} draft={volume} onChange={(next) => set('volume', next)} />
      <OptionalLevel label={t('brightness')} draft={brightness} onChange={(next) => set('brightness', next)} />
      {canSave && <ChangePreview target={target} order={order} textOf={textOf} />}
      <Button
        look="primary"
        block
        disabled={!canSave}
        onClick={async () => {
          if (await onSave(order)) onClose();
        }}
      >
        {common('save')}
      </Button>
    </Dialog>
  );
}

interface OptionalLevelProps {
  label: string;
  /** Undefined: it stays as it is on each device. */
  draft: LevelDraft | undefined;
  onChange: (draft: LevelDraft | undefined) => void;
}

function OptionalLevel({ label, draft, onChange }: OptionalLevelProps) {
  const { t } = useTranslation('devices');
  return (
    <Labelled label={label}>
      <Choice<'unchanged' | 'change'>
        label={label}
        value={draft ? 'change' : 'unchanged'}
        onChange={(next) => onChange(next === 'change' ? draftOf(USUAL, []) : undefined)}
        options={[
          { value: 'unchanged', label: t('levelsUnchanged') },
          { value: 'change', label: t('levelsChange') },
        ]}
      />
      {draft && <LevelFields label={label} draft={draft} problem={problemOf(draft)} onChange={onChange} />}
    </Labelled>
  );
}
