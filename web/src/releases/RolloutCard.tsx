import type { Release, Rollout, RolloutState } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { ButtonRow } from '../ui/layout/ButtonRow.tsx';
import { useFormat } from '../ui/format/format.ts';
import { CheckIcon, FailIcon, PauseIcon, PlayIcon, WithdrawIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Badge } from '../ui/feedback/StateBadge.tsx';
import { RelativeTime } from '../ui/format/time.tsx';
import { goOn, pause, rollBack } from './actions.ts';
import { type DrawnStep, Steps } from './Steps.tsx';
import style from './steps.module.css';

const BADGES = {
  running: { tone: 'primary', icon: <PlayIcon />, text: 'rolloutRunning' },
  paused: { tone: 'warning', icon: <PauseIcon />, text: 'rolloutPaused' },
  stopped: { tone: 'bad', icon: <FailIcon />, text: 'rolloutStopped' },
  complete: { tone: 'good', icon: <CheckIcon />, text: 'rolloutComplete' },
} as const satisfies Record<RolloutState, object>;

/** The steps of a release as they happen, and what a person may do about them. */
export function RolloutCard({ release, rollout }: { release: Release; rollout: Rollout }) {
  const { t } = useTranslation('releases');
  const badge = BADGES[rollout.state];
  const over = release.withdrawnAt !== null;
  return (
    <Card
      title={t('steps')}
      action={
        !over && (
          <span data-testid="rollout" data-state={rollout.state}>
            <Badge tone={badge.tone} icon={badge.icon}>
              {t(badge.text)}
            </Badge>
          </span>
        )
      }
    >
      {!over && rollout.state === 'stopped' && (
        <Notice tone="bad" icon={<FailIcon />} role="alert">
          {t('stoppedHint', { share: rollout.stopAbove, step: rollout.stage + 1 })}
        </Notice>
      )}
      <Steps label={t('steps')} steps={rollout.stages.map((_, index) => drawn(rollout, index))}>
        {(index) => <StepText rollout={rollout} index={index} over={over} />}
      </Steps>
      {!over && rollout.state === 'paused' && (
        <p className="caption">
          {rollout.reason && `${t(rollout.reason)} `}
          {t('pausedHint')}
        </p>
      )}
      {!over && rollout.state !== 'complete' && <RolloutButtons release={release} rollout={rollout} />}
    </Card>
  );
}

function drawn(rollout: Rollout, index: number): DrawnStep {
  const { percent = 100, total = 0, done = 0, failed = 0 } = rollout.stages[index] ?? {};
  const past = index < rollout.stage || rollout.state === 'complete';
  return {
    percent,
    done: total > 0 ? done / total : 0,
    failed: total > 0 ? failed / total : 0,
    state: past ? 'past' : index === rollout.stage ? 'under way' : 'later',
  };
}

/** `over`: no further step starts. */
function StepText({ rollout, index, over }: { rollout: Rollout; index: number; over: boolean }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const step = rollout.stages[index];
  if (!step) return null;
  const { percent, total, done, failed, startedAt } = step;
  return (
    <div>
      <p className={style.head}>
        <strong>{t('stepReaches', { percent })}</strong>
        <span className="caption numbers">
          {startedAt === null
            ? t('stepAdds', { n: number(total) })
            : t('stepDone', { done: number(done), total: number(total) })}
          {failed > 0 && <span className={style.failed}> · {t('stepFailed', { n: number(failed) })}</span>}
        </span>
      </p>
      <p className="caption">
        {startedAt === null ? (
          !over && total > 0 && index > 0 && t('stepStartsAfter', { step: index, share: rollout.goOnAt })
        ) : (
          <RelativeTime at={startedAt} />
        )}
      </p>
    </div>
  );
}

function RolloutButtons({ release, rollout }: { release: Release; rollout: Rollout }) {
  const { t } = useTranslation('releases');
  const last = rollout.stage === rollout.stages.length - 1;
  const { state } = rollout;
  return (
    <ButtonRow>
      {state === 'running' && (
        <Button changes icon={<PauseIcon />} onClick={() => pause(release)}>
          {t('pauseSteps')}
        </Button>
      )}
      {(state !== 'running' || !last) && (
        <Button
          changes
          look={state === 'running' ? 'plain' : 'primary'}
          icon={<PlayIcon />}
          onClick={() => goOn(release, rollout)}
        >
          {t(state === 'running' ? 'startNextStep' : 'resume')}
        </Button>
      )}
      <Button changes look="danger" icon={<WithdrawIcon />} onClick={() => void rollBack(release)}>
        {t('rollBack')}
      </Button>
    </ButtonRow>
  );
}
