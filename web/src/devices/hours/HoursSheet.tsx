import type { WorkingHours } from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { useTyped } from '../../ui/form/typed.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { draftOf, type HoursDraft, hoursOf, problemsOf } from './draft.ts';
import { HoursEditor } from './HoursEditor.tsx';

interface HoursSheetProps {
  title: string;
  /** What the hours are of, for a session that ends meanwhile. */
  about: string;
  hours: WorkingHours | null;
  /** Where there are none yet: the hours to begin with. */
  suggested?: WorkingHours | null;
  /** What no hours mean here. */
  none: string;
  /** What saving would change. */
  preview?: (hours: WorkingHours | null) => ReactNode;
  /** True when it went well: the sheet closes. */
  onSave: (hours: WorkingHours | null) => Promise<boolean>;
  onClose: () => void;
}

/** Sets working hours, or removes them. */
export function HoursSheet({ title, about, hours, suggested = null, none, preview, onSave, onClose }: HoursSheetProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { values, set } = useTyped<{ kind: 'none' | 'own'; draft: HoursDraft }>(
    () => ({ kind: hours ? 'own' : 'none', draft: draftOf(hours ?? suggested) }),
    // After hours that somebody else set meanwhile, the sheet begins with those.
    { as: `hours of ${about} ${JSON.stringify(hours)}` },
  );
  const { kind, draft } = values;
  const problems = kind === 'own' ? problemsOf(draft, contractMessages()) : {};
  const isRight = Object.keys(problems).length === 0;
  const wanted = kind === 'own' ? hoursOf(draft) : null;
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <Choice<'none' | 'own'>
        label={t('workingHours')}
        value={kind}
        onChange={(next) => set('kind', next)}
        options={[
          { value: 'none', label: none },
          { value: 'own', label: t('hoursOwn') },
        ]}
      />
      <p className="caption">{t('hoursHint')}</p>
      {kind === 'own' && <HoursEditor draft={draft} problems={problems} onChange={(next) => set('draft', next)} />}
      {isRight && preview?.(wanted)}
      <Button look="primary" block disabled={!isRight} onClick={async () => (await onSave(wanted)) && onClose()}>
        {common('save')}
      </Button>
    </Dialog>
  );
}
