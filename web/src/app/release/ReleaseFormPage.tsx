import { orientationOf, SPLITS, type User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { Button } from '../../ui/layout/Button.tsx';
import { oneOf } from '../../ui/layout/address.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { useWaits } from '../../ui/feedback/pending.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { draftOfAd, newDraft, splitFor, withFiles } from '../../ads/editor/draft.ts';
import style from './ReleaseForm.module.css';
import { KeptForms, useRestored } from '../../ui/form/kept.ts';
import { Reloaded } from '../../ui/form/reloaded.ts';
import { newOrder, type Target, whereItPlays } from '../../releases/form/order.ts';
import { ReleaseForm } from './ReleaseForm.tsx';
import { type FormState, isChanged } from './save.ts';
import { adQuery } from '../../queries/ads.ts';
import { deviceTotalQuery } from '../../queries/devices.ts';
import { type ReleaseTo, releaseToOf } from '../../queries/releaseTo.ts';
import { isProcessing, namedFilesQuery } from '../../queries/files.ts';
import { userQuery } from '../../queries/users.ts';

/**
 * `/release/:id/:teamid/:type`: a new ad of user `id` for screen type `teamid`, opened from files of
 * kind `type`. In the query: `ad` an ad to change or release, `split` a layout, `files` what to begin
 * with, `step=devices` to begin with the devices; the entry of the history may name these.
 */
export default function ReleaseFormPage() {
  const { t } = useTranslation('releases');
  const { id = '', teamid, type } = useParams();
  const [params] = useSearchParams();
  const to = releaseToOf(useLocation().state);
  const adId = params.get('ad');
  const fileIds = (params.get('files') ?? '').split(',').filter(Boolean);
  const ad = useQuery({ ...adQuery(adId ?? ''), enabled: adId !== null });
  const playing = useQuery({ ...deviceTotalQuery(whereItPlays(adId ?? '')), enabled: adId !== null });
  const files = useQuery({ ...namedFilesQuery(fileIds), enabled: fileIds.length > 0 });
  const ownerId = adId === null ? id : ad.data?.owner.id;
  const owner = useQuery({ ...userQuery(ownerId ?? ''), enabled: ownerId !== undefined });

  const waiting = files.data?.some(isProcessing) ?? false;
  const isRead = adId === null || (ad.data && !ad.isFetching && playing.data !== undefined && !playing.isFetching);
  const ready = !waiting && owner.data && isRead && (fileIds.length === 0 || files.data);
  // Once shown, the form is not taken away by what is fetched again beneath it.
  const [shown, setShown] = useState(false);
  if (ready && !shown) setShown(true);
  const waits = useWaits(!owner.data || !(ready || shown));
  const failed = [ad, playing, files, owner].find((query) => query.error && query.data === undefined);
  if (owner.data && !waits) {
    const address = `${id} ${adId ?? `${teamid} ${type} ${fileIds.join()}`} ${to ? JSON.stringify(to) : ''}`;
    const orientation = orientationOf(teamid);
    const wanted = oneOf(SPLITS, params.get('split') ?? undefined);
    return (
      <Restorable
        key={address}
        owner={owner.data}
        address={address}
        preferredType={Number(type)}
        fresh={() => ({
          draft: ad.data
            ? draftOfAd(ad.data)
            : withFiles(newDraft(orientation, wanted ?? splitFor(orientation, Number(type))), files.data ?? []),
          order: { ...newOrder(playing.data), ...(to && { target: targetOf(to) }) },
          base: ad.data,
        })}
      />
    );
  }
  return (
    <Page title={t('newAd')} back="/ad">
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => failed.refetch()} />
      ) : (
        <>
          {waiting && (
            <p className="caption" role="status">
              {t('filesProcessing')}
            </p>
          )}
          <Skeleton height={320} />
          <Skeleton height={180} />
        </>
      )}
    </Page>
  );
}

const targetOf = (to: ReleaseTo): Target => ('filter' in to ? { kind: 'matching', ...to } : { kind: 'chosen', ...to });

/** Ads that were left before they were saved, also when the browser has loaded the page again since. */
const kept = new KeptForms(new Reloaded<FormState>(import.meta.url));

/**
 * A form that was left with its ad as it was stored continues with the ad as it is stored now; one of a new ad, which was
 * stored there, with that ad.
 */
function upToDate(left: FormState, fresh: () => FormState): FormState {
  const now = fresh();
  return isChanged(left) || !now.base ? left : { ...now, order: left.order };
}

interface RestorableProps {
  owner: User;
  address: string;
  preferredType: number;
  fresh: () => FormState;
}

/** Restores a form that was left unsaved, with a notice. */
function Restorable({ owner, address, preferredType, fresh }: RestorableProps) {
  const { t } = useTranslation('releases');
  const { place, begun, discard } = useRestored(kept, address, fresh);
  return (
    <ReleaseForm
      key={begun.round}
      owner={owner}
      start={begun.isRestored ? upToDate(begun.state, fresh) : begun.state}
      preferredType={preferredType}
      place={place}
      notice={
        begun.isRestored && (
          <div className={style.notice} role="status">
            <span>{t('draftRestored')}</span>
            <Button small onClick={discard}>
              {t('discardDraft')}
            </Button>
          </div>
        )
      }
    />
  );
}
