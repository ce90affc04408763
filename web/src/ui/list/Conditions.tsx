import type { ShownFilter } from '@ams/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Facts } from '../layout/Page.tsx';
import style from './Conditions.module.css';

type Filter = z.output<typeof ShownFilter>;
type Given = { [Key in keyof Filter]-?: NonNullable<Filter[Key]> };

/** What a filter refers to by its id. Undefined: not known yet; null: it does not exist any more. */
interface Names {
  owner: string | null | undefined;
  ad: string | null | undefined;
  releasedAd: string | null | undefined;
}

interface Words {
  t: TFunction<'devices'>;
  groups: TFunction<'groups'>;
  common: TFunction;
  names: Names;
}

/** A condition with its values, of which each becomes a chip. */
type Row = readonly [name: string, values: readonly string[]];

const UNKNOWN = '…';
const shownName = (name: string | null | undefined, { groups }: Words): string =>
  name === null ? groups('gone') : (name ?? UNKNOWN);

/** How each condition is shown. A new condition of groups does not compile until it is named here. */
const ROWS: { [Key in keyof Given]: (value: Given[Key], words: Words) => readonly Row[] } = {
  q: (q, { common }) => [[common('search'), [q]]],
  tags: ({ all = [], any = [], none = [] }, { groups }) => [
    [groups('allTags'), all],
    [groups('anyTag'), any],
    [groups('noTag'), none],
  ],
  area: (area, { t }) => [[t('area'), [area]]],
  owner: (_id, words) => [[words.t('owner'), [shownName(words.names.owner, words)]]],
  orientation: (orientation, { t, common }) => [[t('filterOrientation'), [common(orientation)]]],
  fits: (orientation, { t, groups, common }) => [
    [t('filterOrientation'), [groups('fits', { orientation: common(orientation) })]],
  ],
  online: (online, { t, common }) => [[t('filterOnline'), [common(online ? 'stateOnline' : 'stateOffline')]]],
  paired: (paired, { t }) => [[t('filterPaired'), [t(paired ? 'chipPaired' : 'chipUnpaired')]]],
  dark: (dark, { t }) => [[t('workingHours'), [t(dark ? 'chipDark' : 'chipWorking')]]],
  download: (download, { t }) => {
    const text = { waiting: 'chipWaiting', done: 'chipDone', failed: 'chipFailed', stalled: 'chipStalled' } as const;
    return [[t('filterDownload'), [t(text[download])]]];
  },
  expiry: (expiry, { t, common }) => {
    const text = { expired: common('stateExpired'), expiring: common('stateExpiring'), valid: t('chipValid') };
    return [[t('filterExpiry'), [text[expiry]]]];
  },
  ad: (_id, words) => [[words.groups('ad'), [shownName(words.names.ad, words)]]],
  releasedAd: (_id, words) => [[words.groups('releasedAd'), [shownName(words.names.releasedAd, words)]]],
};

function rowsOf<Key extends keyof Given>(key: Key, value: Given[Key] | undefined, words: Words): readonly Row[] {
  return value === undefined ? [] : ROWS[key](value, words);
}

const isCondition = (key: string): key is keyof Given => Object.hasOwn(ROWS, key);

/** The conditions that a device has to satisfy, each value as a chip; nothing for a filter without any. */
export function Conditions({ filter, names }: { filter: Filter; names: Names }) {
  const { t } = useTranslation('devices');
  const { t: groups } = useTranslation('groups');
  const { t: common } = useTranslation();
  const rows = Object.keys(ROWS)
    .filter(isCondition)
    .flatMap((key) => rowsOf(key, filter[key], { t, groups, common, names }))
    .filter(([, values]) => values.length > 0);
  if (rows.length === 0) return null;
  return <Facts rows={rows.map(([name, values]) => [name, <Chips key={name} values={values} />])} />;
}

const Chips = ({ values }: { values: readonly string[] }) => (
  <ul className={style.chips}>
    {values.map((value) => (
      <li key={value} className={style.chip}>
        <bdi>{value}</bdi>
      </li>
    ))}
  </ul>
);
