import { AD_NAME_MAX, type Fit, type PlayMode } from '@ams/contract';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice, Switch } from '../../ui/form/Choice.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import type { Draft } from './draft.ts';
import { NEW_QR, QrField } from './QrField.tsx';
import style from './PlaybackCard.module.css';

interface PlaybackCardProps {
  draft: Draft;
  name: string;
  nameError: string | undefined;
  onChange: (draft: Draft) => void;
  /** Stands below an ad for two screens. */
  dualChoice: ReactNode;
}

/** Name, play mode, fit, clock, sound, background, and whether the two screens of a device show different things. */
export function PlaybackCard({ draft, name, nameError, onChange, dualChoice }: PlaybackCardProps) {
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
      <SwitchRow label={t('muted')} checked={draft.muted} onChange={(muted) => onChange({ ...draft, muted })} />
      <div className={style.switchRow}>
        <label htmlFor={`${id}-background`}>
          {t('background')}
          <span className={`caption ${style.below}`}>{t('backgroundHint')}</span>
        </label>
        <input
          id={`${id}-background`}
          className={style.colour}
          type="color"
          value={draft.background}
          onChange={(event) => onChange({ ...draft, background: event.currentTarget.value })}
        />
      </div>
      <SwitchRow
        label={t('qrCode')}
        hint={t('qrHint')}
        checked={Boolean(draft.qr)}
        onChange={(on) => onChange({ ...draft, qr: on ? NEW_QR : null })}
      />
      {draft.qr && <QrField qr={draft.qr} onChange={(qr) => onChange({ ...draft, qr })} />}
      <SwitchRow
        label={t('dual')}
        hint={t('dualHint')}
        checked={draft.dual}
        onChange={(dual) => onChange({ ...draft, dual })}
      />
      {draft.dual && dualChoice}
    </Card>
  );
}

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
