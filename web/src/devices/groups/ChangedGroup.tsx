import type { DeviceFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { groupQuery, updateGroup } from '../../queries/groups.ts';
import { succeeded } from '../../ui/feedback/outcome.ts';
import { isolated } from '../../ui/format/bidi.ts';
import { Button } from '../../ui/layout/Button.tsx';
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
  const navigate = useNavigate();
  const group = useQuery(groupQuery(id)).data;
  if (!group) return null;
  const leave = () => navigate(`/groups/${id}`, { replace: true });
  return (
    <section className={style.changed} aria-label={t('change')}>
      <p>{t('changing', { name: isolated(group.name) })}</p>
      <div>
        <Button small onClick={() => void leave()}>
          {common('cancel')}
        </Button>
        <Button
          changes
          small
          look="primary"
          onClick={async () => {
            if (succeeded(await updateGroup(id, { filter }), common('saved'))) await leave();
          }}
        >
          {common('save')}
        </Button>
      </div>
    </section>
  );
}
