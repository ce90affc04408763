import { AD_NAME_MAX, type PlayMode, type Fit, type Screen } from '@ams/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice, Switch } from '../../ui/form/Choice.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import type { Draft } from './draft.ts';
import style from './form.module.css';

interface PlaybackCardProps {
  draft: Draft;
  name: string;
  nameError: string | undefined;
  screen: Screen;
  onChange: (draft: Draft) => void;
  onScreen: (screen: Screen) => void;
}

/** Name, play mode, fit, clock, and whether the two screens of a device show different things. */
export function PlaybackCard({ draft, name, nameError, screen, onChange, onScreen }: PlaybackCardProps) {
  const { t } = useTranslation('releases');
  const id = useId();
  return (
    <Card title={t('playback')}>
      <FieldFrame id={id} label={t('adName')} error={nameError}>
        <TextControl
          id={id}
          name="name"
          value={name}
          maxLength={AD_NAME_MAX}
          error={nameError}
          onChange={(typed) => onChange({ ...draft, name: typed })}
        />
      </FieldFrame>
      <Labelled label={t('playMode')}>
        <Choice<PlayMode>
          label={t('playMode')}
          value={draft.playMode}
          onChange={(playMode) => onChange({ ...draft, playMode })}
          options={[
            { value: 'sequence', label: t('sequence') },
            { value: 'shuffle', label: t('shuffle') },
            { value: 'once', label: t('once') },
          ]}
        />
      </Labelled>
      <Labelled label={t('fit')} hint={t(draft.fit === 'contain' ? 'containHint' : 'coverHint')}>
        <Choice<Fit>
          label={t('fit')}
          value={draft.fit}
          onChange={(fit) => onChange({ ...draft, fit })}
          options={[
            { value: 'contain', label: t('contain') },
            { value: 'cover', label: t('cover') },
          ]}
        />
      </Labelled>
      <SwitchRow
        label={t('showClock')}
        checked={draft.showClock}
        onChange={(showClock) => onChange({ ...draft, showClock })}
      />
      <SwitchRow
        label={t('dual')}
        hint={t('dualHint')}
        checked={draft.dual}
        onChange={(dual) => onChange({ ...draft, dual })}
      />
      {draft.dual && (
        <Choice<Screen>
          label={t('whichScreen')}
          value={screen}
          onChange={onScreen}
          options={[
            { value: 'main', label: t('mainScreen') },
            { value: 'secondary', label: t('secondaryScreen') },
          ]}
        />
      )}
    </Card>
  );
}

interface LabelledProps {
  label: string;
  hint?: string;
  children: React.ReactNode;
}

/** The visible name of a group of choices, which carries it for screen readers itself. */
export const Labelled = ({ label, hint, children }: LabelledProps) => (
  <div className={style.labelled}>
    <span className={style.label} aria-hidden>
      {label}
    </span>
    {children}
    {hint && <p className="caption">{hint}</p>}
  </div>
);

interface SwitchRowProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

const SwitchRow = ({ label, hint, checked, onChange }: SwitchRowProps) => (
  <div className={style.switchRow}>
    <span>
      {label}
      {hint && <span className={`caption ${style.below}`}>{hint}</span>}
    </span>
    <Switch label={label} checked={checked} onChange={onChange} />
  </div>
);
