import type { Group, ShownFilter } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useConditionNames } from '../../queries/conditions.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { Conditions } from '../../ui/list/Conditions.tsx';

interface ConditionsCardProps extends Pick<Group, 'owner'> {
  filter: z.output<typeof ShownFilter>;
}

/** Says which devices are in a group: those that satisfy each row. */
export function ConditionsCard({ filter, owner }: ConditionsCardProps) {
  const { t } = useTranslation('devices');
  const { t: groups } = useTranslation('groups');
  const names = useConditionNames(filter);
  return (
    <Card title={t('filters')}>
      {Object.keys(filter).length === 0 ? (
        <p>{groups('everything', { username: owner.username })}</p>
      ) : (
        <>
          <p className="caption">{t('groupHint')}</p>
          <Conditions filter={filter} names={names} />
        </>
      )}
    </Card>
  );
}
