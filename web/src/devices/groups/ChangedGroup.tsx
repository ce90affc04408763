import type { DeviceFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLeave } from '../../platform/shown.ts';
import { groupQuery, readGroup, updateGroup } from '../../queries/groups.ts';
import { succeeded } from '../../ui/feedback/outcome.ts';
import { isolated } from '../../ui/format/bidi.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { useSeen } from '../seen.ts';
import style from './groups.module.css';

interface ChangedGroupProps {
  id: string;
  /** What the list shows now. */
  filter: DeviceFilter;
}

/** Above the list of devices while the filters of a group are changed there. */
export function ChangedGroup({ id, filter: { group: _other, ...filter } }: ChangedGroupProps) {
  const { t } = useTranslation('groups');
  const { t: common } = useTranslation();
  const leave = useLeave();
  const group = useQuery(groupQuery(id)).data;
  const { seen, lookAgain } = useSeen(
    group,
    () => readGroup(id),
    (now) => now.filter ?? undefined,
  );
  if (!group) return null;
  const toGroup = () => leave(`/groups/${id}`, { replace: true });
  return (
    <section className={style.changed} aria-label={t('change')}>
      <p>{t('changing', { name: isolated(group.name) })}</p>
      <div>
        <Button small onClick={() => void toGroup()}>
          {common('cancel')}
        </Button>
        <Button
          changes
          small
          look="primary"
          onClick={async () => {
            if (succeeded(await updateGroup(id, { filter, seen }, lookAgain), common('saved'))) await toGroup();
          }}
        >
          {common('save')}
        </Button>
      </div>
    </section>
  );
}
