import {
  type Ad,
  type CreateTakeoverBody,
  type DeviceChoice,
  type DeviceFilter,
  type Group,
  type Screen,
  type Takeover,
} from '@ams/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { useLeave } from '../../platform/shown.ts';
import { adQuery } from '../../queries/ads.ts';
import { deviceTotalQuery, turnedQuery } from '../../queries/devices.ts';
import { groupsQuery } from '../../queries/groups.ts';
import { type ReleaseTo, releaseToOf } from '../../queries/releaseTo.ts';
import { createTakeover } from '../../queries/takeovers.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { succeeded } from '../../ui/feedback/outcome.ts';
import { isAwaited } from '../../ui/feedback/pending.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState, LeadingOnly, Unloaded } from '../../ui/feedback/States.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { DownIcon, FailIcon } from '../../ui/layout/icons.ts';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { HoldToTakeOver, NO_PROOF, type Proof, ProofFields } from '../ProofFields.tsx';
import style from '../takeovers.module.css';
import { endOf } from '../time.ts';

/** `/takeover?ad=…`: shows an ad on devices at once; the history may carry which ones. */
export default function TakeoverFormPage() {
  const { t } = useTranslation();
  const { t: ads } = useTranslation('ads');
  const { values } = useAddressFilter(['ad']);
  const ad = useQuery({ ...adQuery(values.ad ?? ''), enabled: values.ad !== undefined });
  const chosen = releaseToOf(useLocation().state);
  // If the groups arrived later, the button that takes over would move away from a finger.
  const groups = useInfiniteQuery({ ...groupsQuery({}), enabled: values.ad !== undefined && !chosen });
  // The answer of a proxy has no role: by `leading` it would take the form away.
  const { role } = useSession();
  return (
    <Page title={t('takeOverNow')} back="/ad" narrow>
      {role === 'member' ? (
        <LeadingOnly action={<ButtonLink to="/ad">{ads('list')}</ButtonLink>} />
      ) : ad.data && !isAwaited(groups) ? (
        <TakeoverForm ad={ad.data} chosen={chosen} />
      ) : ad.error ? (
        <ErrorState error={ad.error} onRetry={() => ad.refetch()} />
      ) : values.ad === undefined ? (
        <EmptyState title={ads('chooseAd')} action={<ButtonLink to="/ad">{ads('list')}</ButtonLink>} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  );
}

interface Values extends Proof {
  /** Undefined: all devices that fit the ad. */
  group: string | undefined;
  screen: Screen;
}

function TakeoverForm({ ad, chosen }: { ad: Ad; chosen: ReleaseTo | undefined }) {
  const { t } = useTranslation('releases');
  const leave = useLeave();
  const bodyOf = ({ group, screen }: Values): Omit<CreateTakeoverBody, 'until' | 'minutes' | 'prepare'> => ({
    adId: ad.id,
    updatedAt: ad.updatedAt,
    devices: choiceOf(ad, chosen, group),
    ...(ad.dual && { screen }),
  });
  const open = ({ id }: Takeover) => leave(`/takeovers/${id}`, { replace: true });
  const form = useForm<Values, Takeover>({
    initial: { ...NO_PROOF, group: undefined, screen: 'main' },
    keeping: { as: `takeover of ${ad.id} ${JSON.stringify(chosen)}`, without: ['code'] },
    send: (values) => {
      const { length, until, code } = values;
      return createTakeover({ ...bodyOf(values), ...endOf(length, until), ...(code && { code }) });
    },
    onDone: (takeover) => void open(takeover),
    fieldOf: { BAD_CODE: 'code' },
  });
  const { group, screen } = form.values;
  const prepare = async () => {
    const answer = await createTakeover({ ...bodyOf(form.values), prepare: true });
    if (answer.error === undefined && succeeded(answer, t('takeoverPrepared'))) await open(answer.data);
  };
  return (
    <Card>
      <form className={style.form} noValidate onSubmit={(event) => event.preventDefault()}>
        <h2 dir="auto">{ad.name}</h2>
        <Labelled label={t('devices')}>
          {chosen ? (
            <Chosen chosen={chosen} />
          ) : (
            <GroupChoice ad={ad} value={group} onChange={(next) => form.set('group', next)} />
          )}
          <Turned ad={ad} to={chosen ?? { filter: filterOf(ad, group) }} />
        </Labelled>
        {ad.dual && (
          <Labelled label={t('screen')}>
            <Choice<Screen>
              label={t('screen')}
              value={screen}
              onChange={(next) => form.set('screen', next)}
              options={[
                { value: 'main', label: t('mainScreen') },
                { value: 'secondary', label: t('secondaryScreen') },
              ]}
            />
          </Labelled>
        )}
        <ProofFields form={form} />
        <HoldToTakeOver form={form} />
        <Button block icon={<DownIcon />} onClick={prepare}>
          {t('takeoverPrepare')}
        </Button>
        <p className="caption">{t('takeoverPrepareHint')}</p>
      </form>
    </Card>
  );
}

const filterOf = (ad: Ad, group: string | undefined): DeviceFilter =>
  group === undefined ? { fits: ad.orientation } : { group };

function choiceOf(ad: Ad, chosen: ReleaseTo | undefined, group: string | undefined): DeviceChoice {
  if (chosen && 'devices' in chosen) return { ids: chosen.devices.map(({ id }) => id) };
  if (chosen) return { filter: chosen.filter };
  return group === undefined ? { filter: filterOf(ad, group) } : { group };
}

/** The devices that were selected before. */
function Chosen({ chosen }: { chosen: ReleaseTo }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const filter = 'filter' in chosen ? chosen.filter : undefined;
  const total = useQuery({ ...deviceTotalQuery(filter ?? {}), enabled: filter !== undefined });
  if ('devices' in chosen) return <p>{t('selectedDevices', { n: number(chosen.devices.length) })}</p>;
  return <p>{total.data === undefined ? '…' : t('matchingDevices', { n: number(total.data) })}</p>;
}

/** How many of the devices have a screen of the other orientation. */
function Turned({ ad, to }: { ad: Ad; to: ReleaseTo }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const { data: turned = 0 } = useQuery(turnedQuery(to, ad.orientation));
  if (turned === 0) return null;
  return (
    <Notice tone="bad" icon={<FailIcon />} role="status">
      {t('askTurned', { n: number(turned) })}
    </Notice>
  );
}

interface GroupChoiceProps {
  ad: Ad;
  value: string | undefined;
  onChange: (group: string | undefined) => void;
}

/** All devices that fit the ad, or those of a group. */
function GroupChoice({ ad, value, onChange }: GroupChoiceProps) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const name = useId();
  const all = useQuery(deviceTotalQuery({ fits: ad.orientation }));
  const groups = useInfiniteQuery(groupsQuery({}));
  const mine = groups.data?.pages.flatMap(({ items }) => items).filter(({ filter }) => filter !== null) ?? [];
  const option = (id: string | undefined, label: string, devices: number | undefined) => (
    <label key={id ?? ''} className={style.option}>
      <input type="radio" name={name} checked={value === id} onChange={() => onChange(id)} />
      <bdi>{label}</bdi>
      <span className="caption numbers">{devices === undefined ? '' : number(devices)}</span>
    </label>
  );
  return (
    <fieldset className={style.options}>
      <legend className="visually-hidden">{t('devices')}</legend>
      {option(undefined, t('takeoverAll'), all.data)}
      {mine.map(({ id, name: label, devices }: Group) => option(id, label, devices))}
      {groups.isError && !groups.data && <Unloaded onRetry={() => groups.refetch()} />}
      {groups.hasNextPage && (
        <Button small onClick={() => groups.fetchNextPage()}>
          {t('takeoverMoreGroups')}
        </Button>
      )}
    </fieldset>
  );
}
