import type { Release } from '@ams/contract';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { approveRelease } from '../queries/ads.ts';
import { rejectRelease } from '../queries/releases.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { succeeded } from '../ui/feedback/outcome.ts';
import { useFormat } from '../ui/format/format.ts';
import { useScheduleWords } from '../ui/format/schedule.ts';
import { RelativeTime } from '../ui/format/time.tsx';
import { FailIcon } from '../ui/layout/icons.ts';
import { ListedRows, ListEnd, type useListed } from '../ui/list/InfiniteList.tsx';
import style from './campaigns.module.css';
import { CreativeStage } from './CreativeStage.tsx';
import { Decide } from './Decide.tsx';
import { useAreShown } from './previews.ts';

const PREVIEW_SIZE = 200;

const texts = () => i18next.getFixedT(null, 'campaigns');

const renderRequest = (release: Release) => <RequestCard release={release} />;

/** Releases that customers request, each with how it will look, and on how many screens. */
export function ReleaseRequests({ listed }: { listed: ReturnType<typeof useListed<Release>> }) {
  const { list, items, end } = listed;
  const { t } = useTranslation('releases');
  if (items.length === 0) return null;
  return (
    <div className={style.requests}>
      <ListedRows listed={listed} label={t('releases')} render={renderRequest} rowHeight={380} />
      {end !== 'end' && <ListEnd state={end} onRetry={() => list.fetchNextPage()} />}
    </div>
  );
}

function RequestCard({ release }: { release: Release }) {
  const { t } = useTranslation('campaigns');
  const { ad, approval } = release;
  const shown = useAreShown([ad], release.id);
  if (!approval) return null;
  return (
    <article className={style.card} data-testid="release-request">
      <Facts release={release} approval={approval} />
      <CreativeStage ad={ad} size={PREVIEW_SIZE} version={release.id} />
      {approval.changed && (
        <Notice tone="bad" icon={<FailIcon />}>
          {t('verdictChanged')}
        </Notice>
      )}
      <Decide
        request={{ id: release.id, name: ad.name }}
        shown={shown}
        changed={approval.changed}
        reject={(remark) => rejectRelease(release.id, remark)}
        approve={() => approve(release)}
      />
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
