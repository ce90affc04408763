import { type FileKind, teamIdOf } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { discard, startTransfer } from '../../platform/transfer/transfer.ts';
import { discardUpload, provideTransport } from '../../platform/transfer/transport.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Pair } from '../../ui/layout/Pair.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { provideIndicator } from '../../ui/transfer/Indicator.tsx';
import { Unfinished } from '../../ui/transfer/Unfinished.tsx';
import { settingsQuery } from '../../queries/settings.ts';
import { refreshFiles } from '../../queries/files.ts';
import { kindText } from '../kinds.ts';
import { KindDrawing } from '../KindTabs.tsx';
import { kindOf, materialsPath, placeOf } from '../place.ts';
import { Chooser } from '../upload/Chooser.tsx';
import { type Target, isPending, isUnfinished, itemFingerprint, sameTarget, uploadPlace } from '../upload/item.ts';
import { uploads, useUploads } from '../upload/manager.ts';
import { UploadRow } from '../upload/UploadRow.tsx';
import style from '../upload/upload.module.css';
import { UploadIndicator } from '../UploadIndicator.tsx';

provideTransport({ startTransfer, discard });
provideIndicator('files', UploadIndicator);

/** Chooses files for one kind and shows how they get on. */
export default function UploadPage() {
  const { t } = useTranslation('files');
  const params = useParams();
  const settings = useQuery(settingsQuery);
  const { current } = useSession();
  const owner = { id: params.id ?? '', username: params.username ?? '' };
  const place = placeOf(params);
  const kind = kindOf(place);
  const target: Target = { owner, orientation: kind.orientation, kind: kind.kind, media: kind.media };
  useLive('file', refreshFiles);
  const here = new Set(useUploads().map(itemFingerprint));

  const choose = (files: readonly File[]) => {
    if (!current || !settings.data) return;
    const twice = uploads.add(files, current.id, target, settings.data.upload);
    if (twice > 0) toast.info(t('alreadyListed', { count: twice }));
  };
  return (
    <Page title={t('uploadTitle')} back={materialsPath(owner, place)} narrow>
      <Card>
        <KindHead kind={kind} username={current?.id === owner.id ? undefined : owner.username} />
        {settings.data && current ? (
          <Chooser media={kind.media} limits={settings.data.upload} onChoose={choose} />
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
        />
      )}
      <UploadList target={target} toMaterials={materialsPath(owner, place)} />
    </Page>
  );
}

/** A running upload, as picture and text. */
function KindHead({ kind, username }: { kind: FileKind; username: string | undefined }) {
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
      </div>
    </div>
  );
}

function UploadList({ target, toMaterials }: { target: Target; toMaterials: string }) {
  const { t } = useTranslation('files');
  const items = useUploads().filter((item) => sameTarget(item.target, target));
  if (items.length === 0) return null;
  const ids = items.flatMap(({ state }) => (state.kind === 'done' ? [state.fileId] : []));
  const over = !items.every(isUnfinished);
  return (
    <section className={style.uploads} aria-label={t('uploads')}>
      <div className={style.listHead}>
        <h2>{t('uploads')}</h2>
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
      {ids.length > 0 && (
        <Pair>
          <ButtonLink to={toMaterials}>{t('toFiles')}</ButtonLink>
          <ButtonLink to={adPath(target, ids)} look={items.some(isPending) ? 'plain' : 'primary'}>
            {t('makeAd')}
          </ButtonLink>
        </Pair>
      )}
    </section>
  );
}

/** A new ad that begins with these files. */
const adPath = ({ owner, orientation, kind }: Target, ids: readonly string[]): string =>
  `/release/${owner.id}/${teamIdOf(orientation)}/${kind}?files=${ids.join(',')}`;
