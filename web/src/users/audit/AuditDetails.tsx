import { type AuditEntry, splitTags } from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/format/format.ts';
import { NextIcon } from '../../ui/layout/icons.ts';
import type { Told } from './told.ts';
import style from './audit.module.css';

const TYPE_TEXT = { 1: 'typePlayer', 2: 'typeLauncher', 3: 'typeSystem' } as const;

interface Fact {
  /** Where several facts have the same name. */
  id?: string;
  name: string;
  value: ReactNode;
}

/** Details of an entry: a remark, and the old and new values. */
export function AuditDetails({ entry, told }: { entry: AuditEntry; told: Told }) {
  const facts = [
    ...useUserFacts(told),
    ...useDeviceFacts(told),
    ...useChanges(entry, told),
    ...useAppFacts(entry, told),
  ];
  return (
    <>
      {told.remark && <Quote text={told.remark} />}
      {told.from !== undefined && told.from !== entry.target && (
        <p className={style.fact}>
          <Change from={told.from} to={entry.target ?? ''} />
        </p>
      )}
      {facts.length > 0 && (
        <dl className={style.facts}>
          {facts.map(({ id, name, value }) => (
            <div key={id ?? name} className={style.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {told.content && <Quote text={told.content} />}
    </>
  );
}

function useUserFacts({ phone, role }: Told): Fact[] {
  const { t } = useTranslation('users');
  const { t: audit } = useTranslation('audit');
  const facts: Fact[] = [];
  if (role) facts.push({ name: t('role'), value: t(role) });
  if (phone) facts.push({ name: t('phone'), value: <bdi className="device">{phone}</bdi> });
  if (phone === null) facts.push({ name: t('phone'), value: audit('none') });
  return facts;
}

const DEVICE_FACTS = {
  name: 'name',
  area: 'area',
  address: 'address',
  owner: 'owner',
  expiresAt: 'expiry',
  timeZone: 'timeZone',
} as const;
const DEVICE_KEYS = ['name', 'area', 'address', 'owner', 'expiresAt', 'timeZone'] as const;

/** Facts of a device; those that stayed as they were are left out. */
function useDeviceFacts(told: Told): Fact[] {
  const { t } = useTranslation('devices');
  const { t: audit } = useTranslation('audit');
  const { date } = useFormat();
  const shown = (key: keyof typeof DEVICE_FACTS, value: string | null): string => {
    if (key === 'expiresAt') return value === null ? t('noExpiry') : date(value);
    return value || audit('none');
  };
  return DEVICE_KEYS.flatMap((key): Fact[] => {
    const [from, to] = [told.before?.[key], told[key]];
    // The sentence above names the device.
    if (to === undefined || from === to || (key === 'name' && !told.before)) return [];
    const now = shown(key, to);
    const value = from === undefined ? <bdi>{now}</bdi> : <Change from={shown(key, from)} to={now} />;
    return [{ name: t(DEVICE_FACTS[key]), value }];
  });
}

/** Kinds of change of a batch that are shown. */
const CHANGES_SHOWN = 5;

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Batches whose values are tables of hours: the sentence says enough. */
const WITHOUT_VALUES = new Set<string>(['devices.batch.hours', 'devices.batch.levels']);

/** What a batch changed, by how many devices. */
function useChanges({ action }: AuditEntry, { changes = [] }: Told): Fact[] {
  const { t } = useTranslation('devices');
  const { t: audit } = useTranslation('audit');
  const { commaSeparated, date } = useFormat();
  if (WITHOUT_VALUES.has(action)) return [];
  const shown = (value: string | null): string => {
    if (action === 'devices.batch.tag') return value ? commaSeparated(splitTags(value)) : audit('none');
    if (value === null) return t('noExpiry');
    return isDay(value) ? date(value) : value;
  };
  return changes.slice(0, CHANGES_SHOWN).map(({ from, to, devices }) => ({
    id: `${from} ${to}`,
    name: t('toAll', { count: devices }),
    value: <Change from={shown(from)} to={shown(to)} />,
  }));
}

function useAppFacts({ action }: AuditEntry, { package: name, code, forced, istype }: Told): Fact[] {
  const { t } = useTranslation('apps');
  const { t: audit } = useTranslation('audit');
  if (!action.startsWith('apps.')) return [];
  const facts: Fact[] = [];
  if (name !== undefined) facts.push({ name: t('package'), value: <bdi className="device">{name}</bdi> });
  if (code !== undefined) facts.push({ name: t('code'), value: <span className="device">{code}</span> });
  if (forced !== undefined) facts.push({ name: t('forced'), value: audit(forced ? 'yes' : 'no') });
  if (istype !== undefined) facts.push({ name: t('type'), value: t(TYPE_TEXT[istype]) });
  return facts;
}

/** Old and new value. */
const Change = ({ from, to }: { from: string; to: string }) => (
  <span className={style.change}>
    <del>
      <bdi>{from}</bdi>
    </del>{' '}
    <NextIcon className="turns" />{' '}
    <ins>
      <bdi>{to}</bdi>
    </ins>
  </span>
);

/** Somebody's own words, in the direction of the language they are in. */
const Quote = ({ text }: { text: string }) => (
  <blockquote className={style.quote}>
    <bdi>{text}</bdi>
  </blockquote>
);
