import { type Device, LevelHours, SPANS_MAX } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { numberFormat } from '../../platform/intl.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import { useTyped } from '../../ui/form/typed.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { PlusIcon } from '../../ui/layout/icons.ts';
import { changeDevice } from '../actions.ts';
import { newSpan, type SpanDraft } from './draft.ts';
import style from './hours.module.css';
import { SpanRow } from '../../ui/form/SpanRow.tsx';

const STEP = 5;
const USUAL = 100;

export interface LevelDraft {
  /** Percent; null leaves it as it is. */
  value: number | null;
  hours: (SpanDraft & { value: number })[];
}

export const draftOf = (value: number | null, hours: LevelHours): LevelDraft => ({
  value,
  hours: hours.map(({ from, to, value: level }) => ({ ...newSpan(from, to === '24:00' ? '00:00' : to), value: level })),
});

export const levelHoursOf = ({ hours }: LevelDraft): LevelHours =>
  hours.map(({ from, to, value }) => ({ from, to: to === '00:00' ? '24:00' : to, value }));

/** Volume and brightness of a device, each with levels for parts of the day. */
export function LevelsSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const levels = [device.volume, device.volumeHours, device.brightness, device.brightnessHours];
  const { values, set, changed } = useTyped(
    () => ({
      volume: draftOf(device.volume, device.volumeHours),
      brightness: draftOf(device.brightness, device.brightnessHours),
    }),
    { as: `levels of ${device.id} ${JSON.stringify(levels)}` },
  );
  const { volume, brightness } = values;
  const problem = { volume: problemOf(volume), brightness: problemOf(brightness) };
  // Settings that were left alone stay as they are by now: somebody else may have set them meanwhile.
  const body = {
    ...('volume' in changed && { volume: volume.value, volumeHours: levelHoursOf(volume) }),
    ...('brightness' in changed && {
      brightness: brightness.value,
      brightnessHours: levelHoursOf(brightness),
    }),
  };
  const save = async () => {
    const isSame = Object.keys(body).length === 0;
    if (isSame || (await changeDevice(device, body, common('saved')))) onClose();
  };
  return (
    <Dialog kind="sheet" title={t('levels')} onClose={onClose}>
      <LevelFields
        label={t('volume')}
        draft={volume}
        problem={problem.volume}
        onChange={(next) => set('volume', next)}
      />
      <LevelFields
        label={t('brightness')}
        draft={brightness}
        problem={problem.brightness}
        onChange={(next) => set('brightness', next)}
      />
      <Button
        look="primary"
        block
        disabled={problem.volume !== undefined || problem.brightness !== undefined}
        onClick={save}
      >
        {common('save')}
      </Button>
    </Dialog>
  );
}

export const problemOf = (draft: LevelDraft): string | undefined =>
  explainIssues(LevelHours.safeParse(levelHoursOf(draft)).error?.issues ?? [], contractMessages())[0]?.message;

interface LevelFieldsProps {
  label: string;
  draft: LevelDraft;
  problem: string | undefined;
  onChange: (draft: LevelDraft) => void;
}

export function LevelFields({ label, draft, problem, onChange }: LevelFieldsProps) {
  const { t, i18n } = useTranslation('devices');
  const percent = numberFormat(i18n.language, { style: 'percent' });
  const { value, hours } = draft;
  return (
    <section className={style.level}>
      <div className={style.levelHead}>
        <strong>{label}</strong>
        <Switch
          label={label}
          checked={value !== null}
          onChange={(on) => onChange({ ...draft, value: on ? USUAL : null })}
        />
      </div>
      {value === null ? (
        <p className="caption">{t('levelKept')}</p>
      ) : (
        <div className={style.slider}>
          <input
            type="range"
            min={0}
            max={100}
            step={STEP}
            aria-label={`${label} (%)`}
            value={value}
            onChange={(event) => onChange({ ...draft, value: event.currentTarget.valueAsNumber })}
          />
          <output>{percent.format(value / 100)}</output>
        </div>
      )}
      {hours.map((span, index) => (
        <SpanRow
          key={span.id}
          span={span}
          onChange={(next) => onChange({ ...draft, hours: hours.with(index, next) })}
          onRemove={() => onChange({ ...draft, hours: hours.toSpliced(index, 1) })}
        >
          <input
            type="number"
            min={0}
            max={100}
            step={STEP}
            aria-label={`${label} (%)`}
            value={Number.isNaN(span.value) ? '' : span.value}
            onChange={(event) =>
              onChange({ ...draft, hours: hours.with(index, { ...span, value: event.currentTarget.valueAsNumber }) })
            }
          />
        </SpanRow>
      ))}
      {problem && (
        <p className={style.problem} role="alert">
          {problem}
        </p>
      )}
      {hours.length < SPANS_MAX && (
        <Button
          small
          icon={<PlusIcon />}
          onClick={() => onChange({ ...draft, hours: [...hours, { ...newSpan('20:00', '07:00'), value: 30 }] })}
        >
          {t('levelHours')}
        </Button>
      )}
    </section>
  );
}
