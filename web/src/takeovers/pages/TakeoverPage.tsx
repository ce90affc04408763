import type { Takeover } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { useIsLeading, useReadOnly } from '../../platform/session.ts';
import { refreshTakeovers, startTakeover, takeoverDevicesQuery, takeoverQuery } from '../../queries/takeovers.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Badge } from '../../ui/feedback/StateBadge.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { useNow } from '../../ui/format/time.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import { CheckIcon, DownIcon, TakeoverIcon, WithdrawIcon } from '../../ui/layout/icons.ts';
import { Card, Columns, Facts, Page } from '../../ui/layout/Page.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { askToEnd } from '../actions.ts';
import { HoldToTakeOver, NO_PROOF, type Proof, ProofFields } from '../ProofFields.tsx';
import style from '../takeovers.module.css';
import { endOf } from '../time.ts';
import { TakeoverDeviceRow } from '../TakeoverDeviceRow.tsx';

/** `/takeovers/:id`: how many devices show a takeover, device by device, as it happens. */
export default function TakeoverPage() {
  const { t } = useTranslation('releases');
  const { id = '' } = useParams();
  const takeover = useQuery(takeoverQuery(id));
  const refresh = () => void refreshTakeovers();
  useLive('release', refresh);
  useLive('device', refresh);
  return (
    <Page
      title={takeover.data?.ad.name ?? t('takeover')}
      back="/releases"
      actions={takeover.data && <StateOf takeover={takeover.data} />}
    >
      {takeover.data ? (
        <Columns
          isSideFirst
          side={<Side key={id} takeover={takeover.data} />}
          main={
            <InfiniteList
              query={takeoverDevicesQuery(id, undefined)}
              label={t('devices')}
              rowHeight={80}
              render={(device) => <TakeoverDeviceRow device={device} takeover={takeover.data} />}
              empty={{ title: t('noDevicesInState'), hint: t('noDevicesInStateHint') }}
            />
          }
        />
      ) : takeover.error ? (
        <ErrorState error={takeover.error} onRetry={() => takeover.refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  );
}

const STATE = {
  prepared: { text: 'takeoverIsPrepared', tone: 'plain', icon: <DownIcon /> },
  running: { text: 'takeoverIsRunning', tone: 'warning', icon: <TakeoverIcon /> },
  ended: { text: 'takeoverHasEnded', tone: 'plain', icon: <CheckIcon /> },
} as const satisfies Record<Takeover['state'], object>;

function StateOf({ takeover: { state } }: { takeover: Takeover }) {
  const { t } = useTranslation('releases');
  const { text, tone, icon } = STATE[state];
  return (
    <Badge tone={tone} icon={icon}>
      {t(text)}
    </Badge>
  );
}

function Side({ takeover }: { takeover: Takeover }) {
  const { t } = useTranslation('releases');
  const isLeading = useIsLeading();
  const readOnly = useReadOnly();
  return (
    <div className={style.side}>
      <Card>
        <div className={style.side}>
          <Sums takeover={takeover} />
          {isLeading && takeover.state === 'running' && (
            <Button changes look="danger" block icon={<WithdrawIcon />} onClick={() => void askToEnd(takeover)}>
              {t('takeoverEndNow')}
            </Button>
          )}
        </div>
      </Card>
      {isLeading && !readOnly && takeover.state === 'prepared' && <StartCard takeover={takeover} />}
      <Times takeover={takeover} />
    </div>
  );
}

/** The number that counts, and its words. One that was prepared and discarded never started. */
function answerOf({ state, startedAt, counts }: Takeover) {
  if (startedAt === null) return { reached: counts.ready, words: 'takeoverReadyOf' } as const;
  if (state === 'ended') return { reached: counts.shown, words: 'takeoverShownOf' } as const;
  return { reached: counts.showing, words: 'takeoverShowingOf' } as const;
}

/** The number that counts, and what leads to it. */
function Sums({ takeover }: { takeover: Takeover }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const { state, counts } = takeover;
  const { reached, words } = answerOf(takeover);
  const share = counts.total === 0 ? 0 : reached / counts.total;
  return (
    <>
      <p data-testid="takeover-reached" data-count={reached}>
        <span className={`${style.number} numbers`}>{number(reached)}</span> {t(words, { total: number(counts.total) })}
      </p>
      <div className={style.bar} data-bar aria-hidden>
        <i style={{ inlineSize: `${share * 100}%` }} />
      </div>
      {state === 'running' && (
        <p className="caption">
          {t('takeoverTold', { n: number(counts.told) })} · {t('takeoverReady', { n: number(counts.ready) })}
        </p>
      )}
      {state === 'ended' && counts.showing > 0 && (
        <p className="caption">{t('takeoverStillShowing', { n: number(counts.showing) })}</p>
      )}
    </>
  );
}

function Times({ takeover }: { takeover: Takeover }) {
  const { t } = useTranslation('releases');
  const { dateTime, timeLeft } = useFormat();
  const now = useNow();
  const { state, createdAt, startedAt, endsAt, endedAt, endedBy, operator } = takeover;
  const left = endsAt === null ? 0 : Math.max(0, Math.round((Date.parse(endsAt) - now) / 1000));
  return (
    <Card>
      <Facts
        rows={[
          [t('takeoverTimeLeft'), state === 'running' ? timeLeft(left) : null],
          [t('takeoverEndsAt'), state === 'running' && endsAt ? dateTime(endsAt) : null],
          [t('takeoverStartedAt'), startedAt && dateTime(startedAt)],
          [t('takeoverPreparedAt'), startedAt ? null : dateTime(createdAt)],
          [t('endedAt'), endedAt && dateTime(endedAt)],
          [t('takeoverEndedBy'), endedBy?.username],
          [t('takeoverOperator'), operator?.username],
        ]}
      />
    </Card>
  );
}

function StartCard({ takeover }: { takeover: Takeover }) {
  const { t } = useTranslation('releases');
  const form = useForm<Proof, Takeover>({
    initial: NO_PROOF,
    keeping: { as: `takeover ${takeover.id}`, without: ['code'] },
    check: ({ length, until }) => (endOf(length, until) === undefined ? { until: t('takeoverChooseEnd') } : {}),
    send: ({ length, until, code }) => startTakeover(takeover.id, { ...endOf(length, until), ...(code && { code }) }),
    onDone: () => undefined,
    fieldOf: { BAD_CODE: 'code' },
  });
  return (
    <Card>
      <form className={style.form} noValidate onSubmit={(event) => event.preventDefault()}>
        <ProofFields form={form} />
        <HoldToTakeOver form={form} />
        <Button changes block icon={<WithdrawIcon />} onClick={() => void askToEnd(takeover)}>
          {t('takeoverDiscard')}
        </Button>
      </form>
    </Card>
  );
}
