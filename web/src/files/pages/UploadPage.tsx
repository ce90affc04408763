import { type FileKind, MEDIA, type MediaFile, type Orientation, ORIENTATIONS, teamIdOf } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { isApiError } from '../../platform/api.ts';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { discard, lookUp, startTransfer } from '../../platform/transfer/transfer.ts';
import { discardUpload, provideTransport } from '../../platform/transfer/transport.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Pair } from '../../ui/layout/Pair.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { provideIndicator } from '../../ui/transfer/IndicatorPlace.tsx';
import { Unfinished } from '../../ui/transfer/Unfinished.tsx';
import { settingsQuery } from '../../queries/settings.ts';
import { filesChanged, namedFilesQuery, refreshFiles } from '../../queries/files.ts';
import { userQuery } from '../../queries/users.ts';
import { anyUploadPath } from '../../platform/paths.ts';
import { kindText } from '../kinds.ts';
import { KindDrawing } from '../KindTabs.tsx';
import { isAnyKind, kindOf, placePath, placeOf } from '../place.ts';
import { mediaOfName } from '../upload/check.ts';
import { Chooser } from '../upload/Chooser.tsx';
import {
  type UploadGoal,
  canRetry,
  isPending,
  isUnfinished,
  itemFingerprint,
  sameTarget,
  uploadPlace,
} from '../upload/item.ts';
import { uploads, useUploads } from '../upload/manager.ts';
import { UploadRow } from '../upload/UploadRow.tsx';
import style from '../upload/upload.module.css';
import { UploadIndicator } from '../UploadIndicator.tsx';

provideTransport({ startTransfer, discard, lookUp });
provideIndicator('files', UploadIndicator);

/** Chooses files, for one kind or of any, and shows how they get on. */
export default function UploadPage() {
  const { t } = useTranslation('files');
  const params = useParams();
  const settings = useQuery(settingsQuery);
  const { current } = useSession();
  const owner = { id: params.id ?? '', username: params.username ?? '' };
  const place = placeOf(params);
  const kind = isAnyKind(params) ? undefined : kindOf(place);
  const target: UploadGoal = { owner, orientation: kind?.orientation, kind: kind?.kind };
  const asked = useQuery(userQuery(owner.id));
  useLive('file', refreshFiles);
  const here = new Set(useUploads().map(itemFingerprint));

  const choose = (files: readonly File[]) => {
    if (!current || !settings.data) return;
    const limits = settings.data.upload;
    const byMedia = Map.groupBy(files, (file) => kind?.media ?? mediaOfName(file.name, limits));
    const twice = [...byMedia].reduce(
      (sum, [media, some]) => sum + uploads.add(some, current.id, { ...target, media }, limits),
      0,
    );
    if (twice > 0) toast.info(t('alreadyListed', { count: twice }));
  };
  if (isApiError(asked.error, 'NOT_FOUND')) {
    return (
      <Page title={t('uploadTitle')} back={placePath(owner, place)} narrow>
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      </Page>
    );
  }
  return (
    <Page title={t('uploadTitle')} back={placePath(owner, place)} narrow>
      <Card>
        {kind ? (
          <KindHead kind={kind} username={current?.id === owner.id ? undefined : owner.username}>
            <ButtonLink to={anyUploadPath(owner)} look="quiet" small>
              {t('anyKind')}
            </ButtonLink>
          </KindHead>
        ) : (
          <div>
            <h2>{t('anyKind')}</h2>
            <p className="caption">{t('anyKindHint')}</p>
          </div>
        )}
        {settings.data && current ? (
          <Chooser media={kind ? [kind.media] : MEDIA} limits={settings.data.upload} onChoose={choose} />
        ) : settings.error ? (
          <ErrorState error={settings.error} onRetry={() => settings.refetch()} />
        ) : (
          <Skeleton height={96} />
        )}
      </Card>
      {current && (
        <Unfinished
          place={uploadPlace(current.id, target)}
          here={here}
          onDiscard={(fingerprint) => void discardUpload(fingerprint)}
          onDone={() => void filesChanged()}
        />
      )}
      <UploadList target={target} toFiles={placePath(owner, place)} />
    </Page>
  );
}

/** A running upload, as picture and text. */
interface KindHeadProps {
  kind: FileKind;
  username: string | undefined;
  children: ReactNode;
}

function KindHead({ kind, username, children }: KindHeadProps) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  return (
    <div className={style.kind}>
      <KindDrawing kind={kind} size={56} />
      <div>
        <h2>{t(kindText(kind))}</h2>
        <p className="caption">
          {common(kind.orientation)}
          {username !== undefined && ` · ${t('filesOf', { username })}`}
        </p>
        {children}
      </div>
    </div>
  );
}

function UploadList({ target, toFiles }: { target: UploadGoal; toFiles: string }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const items = useUploads().filter((item) => sameTarget(item.target, target));
  const ids = items.flatMap(({ state }) => (state.kind === 'done' ? [state.fileId] : []));
  const anyKind = target.kind === undefined;
  const files = useQuery({ ...namedFilesQuery(ids), enabled: anyKind && ids.length > 0 }).data;
  if (items.length === 0) return null;
  const over = !items.every(isUnfinished);
  const again = items.filter(canRetry);
  // The server decides what files of any kind are: that has to be known first.
  const ads = anyKind ? files && adsOf(target, files) : [adOf(target, ids)];
  const look = items.some(isPending) ? 'plain' : 'primary';
  const next = (
    <>
      <ButtonLink to={toFiles}>{t('toFiles')}</ButtonLink>
      {ads === undefined && (
        <Button look={look} changes disabled>
          {t('makeAd')}
        </Button>
      )}
      {ads?.map(({ orientation, to }) => (
        <ButtonLink key={to} to={to} look={look}>
          {ads.length === 1 ? t('makeAd') : `${t('makeAd')} · ${common(orientation)}`}
        </ButtonLink>
      ))}
    </>
  );
  return (
    <section className={style.uploads} aria-label={t('uploads')}>
      <div className={style.listHead}>
        <h2>{t('uploads')}</h2>
        {again.length > 1 && (
          <Button look="quiet" small onClick={() => again.forEach(({ id }) => uploads.resume(id))}>
            {common('retry')}
          </Button>
        )}
        {over && (
          <Button look="quiet" small onClick={() => uploads.clearFinished(target)}>
            {t('clearFinished')}
          </Button>
        )}
      </div>
      <ul className={style.list}>
        {items.map((item) => (
          <UploadRow key={item.id} item={item} />
        ))}
      </ul>
      {ids.length > 0 && (ads !== undefined && ads.length > 1 ? next : <Pair>{next}</Pair>)}
    </section>
  );
}

interface NewAd {
  orientation: Orientation;
  to: string;
}

/** A new ad that begins with these files. */
const adOf = ({ owner, orientation = 'vertical', kind = 1 }: UploadGoal, ids: readonly string[]): NewAd => ({
  orientation,
  to: `/release/${owner.id}/${teamIdOf(orientation)}/${kind}?files=${ids.join(',')}`,
});

/** The new ads that files of several kinds can make: one for each orientation, that of most files first. */
const adsOf = ({ owner }: UploadGoal, files: readonly MediaFile[]): NewAd[] =>
  ORIENTATIONS.map((orientation) => files.filter((file) => file.orientation === orientation))
    .toSorted((some, others) => others.length - some.length)
    .flatMap((alike) => {
      const [first] = alike;
      const ids = alike.map(({ id }) => id);
      return first ? [adOf({ owner, orientation: first.orientation, kind: first.kind }, ids)] : [];
    });
