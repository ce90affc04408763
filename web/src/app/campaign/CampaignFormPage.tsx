import { type Campaign, DEFAULT_LANGUAGE, type Group, isLanguage, type Language } from '@ams/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { CampaignForm } from '../../campaigns/form/CampaignForm.tsx';
import {
  type CampaignDraft,
  type CampaignTarget,
  copyOf,
  currencyOf,
  draftOf,
  isSame,
  newDraft,
} from '../../campaigns/form/draft.ts';
import type { DeviceChooserProps } from '../../campaigns/form/TargetField.tsx';
import { beginOf, type CampaignFormState, useCampaignForm } from '../../campaigns/form/useCampaignForm.ts';
import { today } from '../../campaigns/today.ts';
import { useIsLeading, useSession } from '../../platform/session.ts';
import { adQuery } from '../../queries/ads.ts';
import { campaignQuery, lastCampaignQuery } from '../../queries/campaigns.ts';
import { groupsQuery } from '../../queries/groups.ts';
import { DeviceChooser } from '../../releases/form/DeviceChooser.tsx';
import { newOrder } from '../../releases/form/order.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { isAwaited, useWaits } from '../../ui/feedback/pending.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { type Beginning, KeptForms, type Place, useKeeping, useRestored } from '../../ui/form/kept.ts';
import { Reloaded } from '../../ui/form/reloaded.ts';

/**
 * `/campaigns/new` with `ad` (the first creative), `group`, `area` or `copy` (a campaign to begin with) in the query,
 * and `/campaigns/:id/edit`.
 */
export default function CampaignFormPage() {
  const { t } = useTranslation();
  const { id } = useParams();
  const [params] = useSearchParams();
  const copied = params.get('copy');
  const asked = { ad: params.get('ad') ?? undefined, group: params.get('group') ?? undefined };
  const start = useStart(id ?? copied ?? undefined, { ...asked, area: params.get('area') ?? undefined });
  const address = `${id ?? ''} ${params.toString()}`;
  const title = id === undefined ? t('newCampaign') : t('edit');
  const back = id === undefined ? '/campaigns' : `/campaigns/${id}`;
  const waits = useWaits(start.state === 'loading');
  if (start.state === 'ready' && !waits) {
    const { campaign, draft } = start;
    const fresh = (): CampaignFormState => {
      if (!campaign) return beginOf(draft());
      if (id === undefined) return beginOf(copyOf(campaign, today()));
      return beginOf(draftOf(campaign), campaign);
    };
    return <Restorable key={address} address={address} title={title} back={back} fresh={fresh} />;
  }
  return (
    <Page title={title} back={back}>
      {start.state === 'failed' ? (
        <ErrorState error={start.error} onRetry={start.retry} />
      ) : (
        <>
          <Skeleton height={160} />
          <Skeleton height={240} />
        </>
      )}
    </Page>
  );
}

type Start =
  | { state: 'loading' }
  | { state: 'failed'; error: Error | null; retry: () => void }
  | { state: 'ready'; campaign: Campaign | undefined; draft: () => CampaignDraft };

/** What the address asks for. */
type Asked = Record<'ad' | 'group' | 'area', string | undefined>;

/** What the form begins with, once it is there. */
function useStart(campaignId: string | undefined, { ad: adId, group, area }: Asked): Start {
  const { i18n } = useTranslation();
  const { current } = useSession();
  const leading = useIsLeading();
  const isNew = campaignId === undefined;
  const campaign = useQuery({ ...campaignQuery(campaignId ?? ''), enabled: !isNew });
  const ad = useQuery({ ...adQuery(adId ?? ''), enabled: adId !== undefined });
  const last = useQuery({ ...lastCampaignQuery, enabled: isNew });
  const groups = useInfiniteQuery({ ...groupsQuery({}), enabled: isNew && !leading });
  const failed = [campaign, ad].find(({ error, data }) => error && !data);
  if (failed) return { state: 'failed', error: failed.error, retry: () => void failed.refetch() };
  const isWaiting = isNew ? isAwaited(last) || (!leading && isAwaited(groups)) : campaign.isPending;
  if (isWaiting || (adId !== undefined && ad.isPending)) return { state: 'loading' };
  const bookable = groups.data?.pages.flatMap(({ items }) => items).filter(({ filter }) => filter === null) ?? [];
  return {
    state: 'ready',
    campaign: campaign.data,
    draft: () =>
      newDraft({
        today: today(),
        ad: ad.data && { id: ad.data.id, name: ad.data.name, orientation: ad.data.orientation },
        customer: leading ? (ad.data?.owner ?? current) : undefined,
        target: targetOf(leading, { group, area }, bookable),
        price: last.data?.price,
        currency: currencyOf(languageOf(i18n.language)),
      }),
  };
}

const languageOf = (code: string): Language => (isLanguage(code) ? code : DEFAULT_LANGUAGE);

/** A customer with one bookable group has nothing to choose. */
function targetOf(
  leading: boolean,
  { group, area }: Pick<Asked, 'group' | 'area'>,
  bookable: readonly Group[],
): CampaignTarget {
  if (group !== undefined) return { kind: 'group', group };
  if (leading) return { kind: 'all', area };
  return { kind: 'group', group: bookable.length === 1 ? bookable[0]?.id : undefined };
}

/** Campaigns that were left before they were stored, also when the browser has loaded the page again since. */
const kept = new KeptForms(new Reloaded<CampaignFormState>(import.meta.url));

interface RestorableProps {
  address: string;
  title: string;
  back: string;
  fresh: () => CampaignFormState;
}

/** Restores a form that was left unsaved, with a notice. */
function Restorable({ address, fresh, ...form }: RestorableProps) {
  const { t } = useTranslation('releases');
  const { place, begun, discard } = useRestored(kept, address, fresh);
  return (
    <Form
      key={begun.round}
      place={place}
      begun={begun}
      notice={
        begun.isRestored && (
          <Notice tone="primary" role="status">
            {t('draftRestored')}{' '}
            <Button small onClick={discard}>
              {t('discardDraft')}
            </Button>
          </Notice>
        )
      }
      {...form}
    />
  );
}

interface FormProps extends Pick<RestorableProps, 'title' | 'back'> {
  place: Place<CampaignFormState>;
  begun: Beginning<CampaignFormState>;
  notice: ReactNode;
}

/** Whether a form has something to lose: what differs from the stored campaign, or from an untouched new one. */
const isUnsaved = ({ draft, base }: CampaignFormState, begun: Beginning<CampaignFormState>): boolean =>
  base ? !isSame(draft, base) : begun.isRestored || JSON.stringify(draft) !== JSON.stringify(begun.state.draft);

function Form({ place, begun, ...form }: FormProps) {
  const stored = useRef(false);
  const handle = useCampaignForm(begun.state, (left, isDone) => {
    stored.current = isDone && !left;
    // It may have been left while the answer was on its way.
    if (left) place.amend(left);
    else place.forget();
  });
  const { draft, base, isUnanswered } = handle;
  useKeeping(
    place,
    { draft, base, isUnanswered },
    (last) => !stored.current && (last.isUnanswered || isUnsaved(last, begun)),
  );
  return <CampaignForm handle={handle} chooser={(props) => <Chooser {...props} />} {...form} />;
}

/** The sheet of the release form, for the devices of the viewer or of everybody in scope. */
function Chooser({ orientation, target, onTarget, onClose }: DeviceChooserProps) {
  const { current } = useSession();
  if (!current) return null;
  const before = target.kind === 'group' ? newOrder() : { ...newOrder(), target };
  return (
    <DeviceChooser
      owner={current}
      orientation={orientation}
      ad={undefined}
      count={0}
      order={before}
      dual={false}
      onTarget={(next) => {
        if (next.kind !== 'playing') onTarget(next);
      }}
      onStanding={() => undefined}
      onClose={onClose}
    />
  );
}
