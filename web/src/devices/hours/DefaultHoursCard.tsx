import type { User } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readUser, updateWorkingHours } from '../../queries/users.ts';
import { succeeded } from '../../ui/feedback/outcome.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { ClockIcon } from '../../ui/layout/icons.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { useSeen } from '../seen.ts';
import { HoursSheet } from './HoursSheet.tsx';
import { useHoursWords } from './words.ts';

/** The working hours of the own devices, and of those of users below, that have none of their own. */
export function DefaultHoursCard({ user }: { user: User }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const words = useHoursWords();
  const [editing, setEditing] = useState(false);
  return (
    <Card title={t('hoursDefaults')}>
      <p>{user.workingHours ? words(user.workingHours) : t('hoursNoDefault')}</p>
      <p className="caption">{t('hoursDefaultsHint')}</p>
      <Button changes block icon={<ClockIcon />} onClick={() => setEditing(true)}>
        {common('edit')}
      </Button>
      {editing && <DefaultHoursSheet user={user} onClose={() => setEditing(false)} />}
    </Card>
  );
}

function DefaultHoursSheet({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { seen, lookAgain } = useSeen(
    user,
    () => readUser(user.id),
    ({ workingHours }) => workingHours,
  );
  return (
    <HoursSheet
      title={t('hoursDefaults')}
      about={user.id}
      hours={user.workingHours}
      none={t('hoursNoDefault')}
      onSave={async (workingHours) =>
        succeeded(await updateWorkingHours(user.id, { workingHours, seen }, lookAgain), common('saved'))
      }
      onClose={onClose}
    />
  );
}
