import { type Availability, type AvailabilityBody, type CampaignGoal, deviceLabel } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { availabilityQuery } from '../../queries/campaigns.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useWaits } from '../../ui/feedback/pending.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { CheckIcon, FailIcon } from '../../ui/layout/icons.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { useRested } from '../../ui/list/rested.ts';
import style from '../campaigns.module.css';
import { useCampaignWords } from '../words.ts';
import { goalText } from './draft.ts';
import { HeatMap } from './HeatMap.tsx';

/** Screens that are named at most. */
const BOTTLENECKS_MAX = 5;

interface AvailabilityCardProps {
  /** Undefined while the form is not complete enough to ask. */
  body: AvailabilityBody | undefined;
  /** Takes over the largest goal that fits; left out where the goal cannot be changed. */
  onGoal?: (value: string) => void;
}

/** What is free, renewed when typing rests. */
export function AvailabilityCard({ body, onGoal }: AvailabilityCardProps) {
  const { t } = useTranslation('campaigns');
  return (
    <Card title={t('availability')}>
      {body ? <Answer body={body} {...(onGoal && { onGoal })} /> : <p className="caption">{t('availabilityHint')}</p>}
    </Card>
  );
}

interface AnswerProps extends AvailabilityCardProps {
  body: AvailabilityBody;
  /** Only whether it fits. */
  short?: boolean;
}

/** The answer of the server, or why there is none. */
export function Answer({ body, short = false, onGoal }: AnswerProps) {
  const text = JSON.stringify(body);
  const rested = useRested(text) === text;
  const { data, error, isPlaceholderData } = useQuery({ ...availabilityQuery(body), enabled: rested });
  const waits = useWaits(data === undefined);
  if (error) {
    return (
      <Notice tone="bad" icon={<FailIcon />} role="status">
        {error.message}
      </Notice>
    );
  }
  if (!data || waits) return <Skeleton height={short ? 52 : 240} />;
  if (short) return <Fit availability={data} />;
  return (
    <div className={style.stack} aria-live="polite" aria-busy={isPlaceholderData}>
      <Fit availability={data} />
      {/* Its kind may be another one by now. */}
      {!isPlaceholderData && <Largest availability={data} goal={body.goal} {...(onGoal && { onGoal })} />}
      <HeatMap flight={body.schedule} free={data.free} />
      <Bottlenecks availability={data} />
    </div>
  );
}

function Fit({ availability: { feasible, largest, plays, devices } }: { availability: Availability }) {
  const { t } = useTranslation('campaigns');
  const { number } = useFormat();
  if (feasible) {
    return (
      <Notice tone="good" icon={<CheckIcon />} role="status">
        {t('fits', { plays: number(Math.floor(plays)), screens: number(devices) })}
      </Notice>
    );
  }
  return (
    <Notice tone="bad" icon={<FailIcon />} role="status">
      {t(largest > 0 ? 'doesNotFit' : 'nothingFree')}
    </Notice>
  );
}

interface LargestProps {
  availability: Availability;
  goal: CampaignGoal;
  onGoal?: (value: string) => void;
}

function Largest({ availability: { largest }, goal: { kind, value }, onGoal }: LargestProps) {
  const { t } = useTranslation('campaigns');
  const { goal } = useCampaignWords();
  const text = goalText(kind, largest);
  const fitting = Number(text);
  if (fitting <= 0) return null;
  return (
    <div className={style.head}>
      <span>{t('largest', { goal: goal({ kind, value: fitting }) })}</span>
      {onGoal && fitting !== value && (
        <Button small onClick={() => onGoal(text)}>
          {t('takeLargest')}
        </Button>
      )}
    </div>
  );
}

function Bottlenecks({ availability: { bottlenecks } }: { availability: Availability }) {
  const { t } = useTranslation('campaigns');
  const { freeShare } = useCampaignWords();
  const { date } = useFormat();
  if (bottlenecks.length === 0) return null;
  return (
    <div>
      <h3 className={style.caption}>{t('bottlenecks')}</h3>
      <ul className={style.bottlenecks}>
        {bottlenecks.slice(0, BOTTLENECKS_MAX).map(({ device, free, expiresAt }, index) => (
          <li key={device?.id ?? index}>
            {device ? (
              <Link to={`/mac/${device.id}`}>
                <bdi>{deviceLabel(device)}</bdi>
              </Link>
            ) : (
              t('aScreen')
            )}
            <span className="caption numbers">{t('freeShare', { share: freeShare(free) })}</span>
            {expiresAt && <span className="caption">{t('lastDay', { date: date(expiresAt) })}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
