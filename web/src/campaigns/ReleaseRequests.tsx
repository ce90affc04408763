import { type Release, Remark } from '@ams/contract';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { approveRelease } from '../queries/ads.ts';
import { rejectRelease } from '../queries/releases.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { succeeded } from '../ui/feedback/outcome.ts';
import { useFormat } from '../ui/format/format.ts';
import { useScheduleWords } from '../ui/format/schedule.ts';
import { RelativeTime } from '../ui/format/time.tsx';
import { Button } from '../ui/layout/Button.tsx';
import { CheckIcon, CrossIcon, FailIcon } from '../ui/layout/icons.ts';
import style from './campaigns.module.css';
import { CreativeStage } from './CreativeStage.tsx';

const PREVIEW_SIZE = 200;

const texts = () => i18next.getFixedT(null, 'campaigns');

/** Releases that customers request, each with how it will look, and on how many screens. */
export function ReleaseRequests({ requests }: { requests: readonly Release[] }) {
  return (
    <ul className={style.requests}>
      {requests.map((release) => (
        <li key={release.id}>
          <RequestCard release={release} />
        </li>
      ))}
    </ul>
  );
}

function RequestCard({ release }: { release: Release }) {
  const { t } = useTranslation('campaigns');
  const { ad, approval } = release;
  if (!approval) return null;
  return (
    <article className={style.card} data-testid="release-request">
      <Facts release={release} approval={approval} />
      <CreativeStage ad={ad} size={PREVIEW_SIZE} />
      {approval.changed && (
        <Notice tone="bad" icon={<FailIcon />}>
          {t('verdictChanged')}
        </Notice>
      )}
      <div className={style.decide}>
        <Button changes icon={<CrossIcon />} onClick={() => void askToReject(release)}>
          {t('reject')}
        </Button>
        <Button
          changes
          look="primary"
          icon={<CheckIcon />}
          disabled={approval.changed}
          onClick={() => approve(release)}
        >
          {t('approve')}
        </Button>
      </div>
    </article>
  );
}

function Facts({ release, approval }: { release: Release; approval: NonNullable<Release['approval']> }) {
  const { t } = useTranslation('campaigns');
  const { t: releases } = useTranslation('releases');
  const { number } = useFormat();
  const words = useScheduleWords();
  const { id, ad, schedule, standing, priority } = release;
  return (
    <>
      <span className={style.head}>
        <Link to={`/releases/${id}`}>
          <strong dir="auto">{ad.name}</strong>
        </Link>
        <span className="caption">
          <RelativeTime at={approval.requestedAt} />
        </span>
      </span>
      <span>
        {approval.requestedBy && <bdi>{approval.requestedBy.username} · </bdi>}
        <bdi>{t('screensOf', { n: number(approval.devices) })}</bdi>
        {standing && <bdi> · {releases('standingShort')}</bdi>}
        {priority !== 'normal' && <bdi> · {releases(priority)}</bdi>}
      </span>
      {schedule && <span className="caption">{words(schedule)}</span>}
    </>
  );
}

/** One press, without a question: a release can be withdrawn. */
async function approve({ id }: Release): Promise<void> {
  succeeded(await approveRelease(id), texts()('releaseApproved'));
}

function askToReject({ id, ad: { name } }: Release): Promise<boolean> {
  const t = texts();
  return confirm({
    title: t('rejectTitle', { name }),
    body: t('rejectBody'),
    action: t('reject'),
    danger: true,
    input: { label: t('remark'), schema: Remark, multiline: true },
    run: async (remark) => succeeded(await rejectRelease(id, remark), t('rejected')),
  });
}
