import type { Release, ReleaseApproval, Screen } from '@ams/contract';
import type { RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { adFormPath } from '../platform/adPath.ts';
import { useLive } from '../platform/live.ts';
import { useSession } from '../platform/session.ts';
import { adQuery } from '../queries/ads.ts';
import { useConditionNames } from '../queries/conditions.ts';
import { mayWithdraw, refreshReleaseDevices, releaseDevicesQuery } from '../queries/releases.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { joined } from '../ui/format/bidi.ts';
import { useFormat } from '../ui/format/format.ts';
import { useScheduleWords } from '../ui/format/schedule.ts';
import { oneOf, useAddressFilter } from '../ui/layout/address.ts';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import { NextIcon, PencilIcon, ReloadIcon, TakeoverIcon, WithdrawIcon } from '../ui/layout/icons.ts';
import { Card, Facts } from '../ui/layout/Page.tsx';
import { useWide } from '../ui/layout/wide.ts';
import { Conditions } from '../ui/list/Conditions.tsx';
import { InfiniteList } from '../ui/list/InfiniteList.tsx';
import { tryAgain, withdraw } from './actions.ts';
import { DeviceRow } from './DeviceRow.tsx';
import { releaseScansQuery } from '../queries/scans.ts';
import { ScansCard } from '../ui/chart/ScansCard.tsx';
import { isUnsent, ReleaseBadge, StandingBadge } from './ReleaseBadge.tsx';
import { ReleaseSums, STATES } from './ReleaseSums.tsx';
import { RolloutCard } from './RolloutCard.tsx';
import style from './ReleaseDetails.module.css';

/** The way to take it back, or that it was. */
export function Withdrawal({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { leading } = useSession();
  if (release.priority === 'takeover') return <TakeoverLink id={release.id} />;
  if (release.withdrawnAt !== null) return <ReleaseBadge release={release} />;
  if (!mayWithdraw(release, leading)) return null;
  // A release in steps is rolled back where its steps are.
  if (release.rollout && release.rollout.state !== 'complete') return null;
  return (
    <Button changes small icon={<WithdrawIcon />} onClick={() => void withdraw(release)}>
      {t('withdraw')}
    </Button>
  );
}

/** Takeovers have a page of their own, where they are started and ended. */
function TakeoverLink({ id }: { id: string }) {
  const { t } = useTranslation('releases');
  return (
    <ButtonLink to={`/takeovers/${id}`} small icon={<TakeoverIcon />}>
      {t('takeover')}
    </ButtonLink>
  );
}

interface ReleaseDetailsProps {
  release: Release;
  /** The scrolling box around, when it is not the window. */
  box?: RefObject<HTMLElement | null>;
}

/** All about a release, on its page and in the panel beside the list. */
export function ReleaseDetails({ release, box }: ReleaseDetailsProps) {
  const { t } = useTranslation('releases');
  const filter = useAddressFilter(['state']);
  const { number } = useFormat();
  const { approval } = release;
  const unsent = isUnsent(release);
  const scans = useQuery({ ...releaseScansQuery(release.id), enabled: !unsent });
  const state = oneOf(STATES, filter.values.state);
  useLive('device', (ids) => void refreshReleaseDevices(release.id, state, ids));
  return (
    <div className={style.page}>
      <div className={style.side}>
        {approval && <Approval approval={approval} />}
        {approval && needsAnother(approval) && <EditAd id={release.ad.id} />}
        <Card>
          {unsent ? (
            <Facts rows={[[t('devices'), number(release.approval.devices)]]} />
          ) : (
            <ReleaseSums release={release} shown={state} onShow={(next) => filter.set({ state: next })} />
          )}
          {release.sending && <SendingLine sending={release.sending} />}
          {release.counts.failed > 0 && release.withdrawnAt === null && <TryAgain release={release} />}
        </Card>
        {release.standing && <StandingCard release={release} />}
        {release.rollout && <RolloutCard release={release} rollout={release.rollout} />}
        <ScansCard scans={scans.data} />
        <ReleaseFacts release={release} />
      </div>
      {!unsent && (
        <InfiniteList
          key={state}
          query={releaseDevicesQuery(release.id, state)}
          label={t('devices')}
          {...(box && { box })}
          rowHeight={76}
          render={(device) => <DeviceRow device={device} release={release} />}
          empty={{ title: t('noDevicesInState'), hint: t('noDevicesInStateHint') }}
        />
      )}
    </div>
  );
}

/** A release to many devices reaches them one after the other. */
function SendingLine({ sending: { reached, total } }: { sending: NonNullable<Release['sending']> }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  return <p role="status">{t('sendingLabel', { reached: number(reached), total: number(total) })}</p>;
}

/** What became of a request, and why; nothing once it is approved. */
function Approval({ approval: { state, changed, remark } }: { approval: ReleaseApproval }) {
  const { t } = useTranslation('campaigns');
  switch (state) {
    case 'requested':
      return (
        <Notice tone={changed ? 'bad' : 'primary'} role="status">
          {t(changed ? 'verdictChanged' : 'verdictWaiting')}
        </Notice>
      );
    case 'rejected':
      return <Notice tone="bad">{t('verdictRejected', { remark: remark ?? '' })}</Notice>;
    case 'approved':
    case 'withdrawn':
      return null;
  }
}

/** Whether only a new request brings the ad to devices. */
const needsAnother = ({ state, changed }: ReleaseApproval): boolean =>
  state === 'rejected' || (state === 'requested' && changed);

/** Leads to the ad, which can be corrected and requested again; nothing once it is deleted. */
function EditAd({ id }: { id: string }) {
  const { t: common } = useTranslation();
  const { data } = useQuery(adQuery(id));
  if (!data) return null;
  return (
    <ButtonLink to={adFormPath(data)} look="primary" block icon={<PencilIcon />}>
      {common('edit')}
    </ButtonLink>
  );
}

function TryAgain({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  return (
    <Button changes block icon={<ReloadIcon />} onClick={() => tryAgain(release.id)}>
      {t('retryFailed', { n: number(release.counts.failed) })}
    </Button>
  );
}

const SCREEN_TEXT = { main: 'mainScreen', secondary: 'secondaryScreen' } as const satisfies Record<Screen, string>;

/** Which devices get a standing release, now and later, as far as the viewer may see that. */
function StandingCard({ release: { target } }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  const own = target?.group ? target.further : target?.filter;
  const names = useConditionNames(own ?? {});
  return (
    <Card>
      <p>
        <StandingBadge />
      </p>
      {target?.group && (
        <Facts
          rows={[
            [
              campaigns('group'),
              <Link key="group" to={`/groups/${target.group.id}`}>
                <bdi>{target.group.name}</bdi>
              </Link>,
            ],
          ]}
        />
      )}
      {target === null && <p>{t('standingYes')}</p>}
      {own && <Conditions filter={own} names={names} />}
      <p className="caption">{t('standingHint')}</p>
      <p className="caption">{t('standingCleared')}</p>
    </Card>
  );
}

/** Closed on a phone, where the devices matter more. */
function ReleaseFacts({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { dateTime } = useFormat();
  const words = useScheduleWords();
  const wide = useWide();
  const { decidedBy = null, decidedAt = null, state } = release.approval ?? {};
  // A rejection withdraws the release, and is shown as what it is.
  const withdrawnAt = state === 'rejected' ? null : release.withdrawnAt;
  return (
    <details className={style.facts} open={wide}>
      <summary>
        <span className="caption">
          {dateTime(release.releasedAt)}
          {release.operator && <> · {release.operator.username}</>}
        </span>
        <NextIcon />
      </summary>
      <div>
        <Facts
          rows={[
            [
              campaigns('campaign'),
              release.campaignId && <Link to={`/campaigns/${release.campaignId}`}>{common('openPage')}</Link>,
            ],
            [t(release.withdrawnBy ? 'withdrawnAt' : 'endedAt'), withdrawnAt && dateTime(withdrawnAt)],
            [t('withdrawnBy'), withdrawnAt && release.withdrawnBy?.username],
            [campaigns('decidedBy'), decidedAt && joined([decidedBy?.username, dateTime(decidedAt)])],
            [t('screen'), release.screen ? t(SCREEN_TEXT[release.screen]) : t('bothScreens')],
            [t('whatPlaysNow'), t(release.replace ? 'replace' : 'addToRotation')],
            [t('priority'), t(release.priority)],
            [t('schedule'), words(release.schedule)],
          ]}
        />
      </div>
    </details>
  );
}
