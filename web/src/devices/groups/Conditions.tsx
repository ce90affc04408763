import type { Group, ShownFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { adQuery } from '../../queries/ads.ts';
import { userQuery } from '../../queries/users.ts';
import { Card, Facts } from '../../ui/layout/Page.tsx';

type Conditions = z.output<typeof ShownFilter>;
type Given = { [Key in keyof Conditions]-?: NonNullable<Conditions[Key]> };
interface Words {
  t: TFunction<'devices'>;
  groups: TFunction<'groups'>;
  common: TFunction;
}
type Row = readonly [name: string, value: ReactNode];

const given = (text: string): ReactNode => <bdi>{text}</bdi>;
const ownerName = (id: string): ReactNode => <OwnerName id={id} />;
const adName = (id: string): ReactNode => <AdName id={id} />;
const tagList = (tags: readonly string[] | undefined): ReactNode => tags && given(tags.join(', '));

/** How each condition is shown. A new condition of groups does not compile until it is named here. */
const ROWS: { [Key in keyof Given]: (value: Given[Key], words: Words) => readonly Row[] } = {
  q: (q, { common }) => [[common('search'), given(q)]],
  tags: ({ all, any, none }, { groups }) => [
    [groups('allTags'), tagList(all)],
    [groups('anyTag'), tagList(any)],
    [groups('noTag'), tagList(none)],
  ],
  area: (area, { t }) => [[t('area'), given(area)]],
  owner: (id, { t }) => [[t('owner'), ownerName(id)]],
  orientation: (orientation, { t, common }) => [[t('filterOrientation'), common(orientation)]],
  fits: (orientation, { t, groups, common }) => [
    [t('filterOrientation'), groups('fits', { orientation: common(orientation) })],
  ],
  online: (online, { t, common }) => [[t('filterOnline'), common(online ? 'stateOnline' : 'stateOffline')]],
  paired: (paired, { t }) => [[t('filterPaired'), t(paired ? 'chipPaired' : 'chipUnpaired')]],
  dark: (dark, { t }) => [[t('workingHours'), t(dark ? 'chipDark' : 'chipWorking')]],
  download: (download, { t }) => {
    const text = { waiting: 'chipWaiting', done: 'chipDone', failed: 'chipFailed', stalled: 'chipStalled' } as const;
    return [[t('filterDownload'), t(text[download])]];
  },
  expiry: (expiry, { t, common }) => {
    const text = { expired: common('stateExpired'), expiring: common('stateExpiring'), valid: t('chipValid') };
    return [[t('filterExpiry'), text[expiry]]];
  },
  ad: (id, { groups }) => [[groups('ad'), adName(id)]],
};

function rowsOf<Key extends keyof Given>(key: Key, value: Given[Key] | undefined, words: Words): readonly Row[] {
  return value === undefined ? [] : ROWS[key](value, words);
}

const isCondition = (key: string): key is keyof Given => Object.hasOwn(ROWS, key);

/** Says which devices are in a group: those that satisfy each row. */
export function ConditionsCard({ filter, owner }: Pick<Group, 'owner'> & { filter: Conditions }) {
  const { t } = useTranslation('devices');
  const { t: groups } = useTranslation('groups');
  const { t: common } = useTranslation();
  const rows = Object.keys(ROWS)
    .filter(isCondition)
    .flatMap((key) => rowsOf(key, filter[key], { t, groups, common }))
    .filter(([, value]) => value !== undefined);
  return (
    <Card title={t('filters')}>
      {rows.length === 0 ? (
        <p>{groups('everything', { username: owner.username })}</p>
      ) : (
        <>
          <p className="caption">{t('groupHint')}</p>
          <Facts rows={rows} />
        </>
      )}
    </Card>
  );
}

const UNKNOWN = '…';

function OwnerName({ id }: { id: string }) {
  return <bdi>{useQuery(userQuery(id)).data?.username ?? UNKNOWN}</bdi>;
}

function AdName({ id }: { id: string }) {
  return <bdi>{useQuery(adQuery(id)).data?.name ?? UNKNOWN}</bdi>;
}
