import type { App } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { z } from 'zod';
import { isApiError } from '../../platform/api.ts';
import { useIsLeading } from '../../platform/session.ts';
import { useLeave } from '../../platform/shown.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { EyeIcon, EyeOffIcon, FailIcon, PencilIcon, TrashIcon } from '../../ui/layout/icons.ts';
import { ActionList } from '../../ui/layout/Menu.tsx';
import { Card, Facts, Page } from '../../ui/layout/Page.tsx';
import { askToDelete, togglePublished } from '../actions.ts';
import { AppIcon } from '../AppIcon.tsx';
import { type Painted, detailsPath, followable, paintedOf } from '../address.ts';
import { appQuery } from '../../queries/apps.ts';
import { AppBadges } from '../badges.tsx';
import { Download } from '../Download.tsx';
import { EditApp } from '../EditApp.tsx';
import style from '../apps.module.css';

/** Content of the page: the server's data, or those of the address until the server has answered. */
type Shown =
  | { kind: 'known'; app: App }
  | { kind: 'painted'; app: Painted }
  | { kind: 'unchecked'; app: Painted; retry: () => void }
  | { kind: 'gone'; app: Painted };

const origin = window.location.origin;

function useShown(): Shown {
  const painted = paintedOf(useParams(), origin);
  const possible = z.uuid().safeParse(painted.id).success;
  const query = useQuery({ ...appQuery(painted.id), enabled: possible });
  if (query.data) return { kind: 'known', app: query.data };
  if (!possible || isApiError(query.error, 'NOT_FOUND')) return { kind: 'gone', app: painted };
  if (query.error) return { kind: 'unchecked', app: painted, retry: () => void query.refetch() };
  return { kind: 'painted', app: painted };
}

export default function AppDetailsPage() {
  const { t } = useTranslation('apps');
  const isLeading = useIsLeading();
  const shown = useShown();
  const known = shown.kind === 'known' ? shown.app : undefined;
  const url = known ? followable(known.url, origin) : shown.app.url;
  return (
    <Page title={t('details')} back="/applist" narrow>
      <Doubt shown={shown} />
      <Card>
        <div className={style.head}>
          <AppIcon src={known?.icon} large />
          <div className={style.words}>
            <h2>{shown.app.name || t('unnamed')}</h2>
            {known && <p className={`${style.told} device`}>{known.package}</p>}
            <AppBadges istype={shown.app.istype} forced={shown.app.forced} published={known?.published} />
          </div>
        </div>
        {shown.app.content && (
          <div className={style.content}>
            <h3>{t('content')}</h3>
            <p dir="auto">{shown.app.content}</p>
          </div>
        )}
      </Card>
      <FactsCard shown={shown} />
      {url !== undefined && shown.kind !== 'gone' && <Download url={url} app={known} />}
      {known?.own && isLeading && <Actions app={known} />}
    </Page>
  );
}

/** States that the displayed data come only from the address. */
function Doubt({ shown }: { shown: Shown }) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  if (shown.kind !== 'gone' && shown.kind !== 'unchecked') return null;
  return (
    <div className={style.doubt} role="status">
      <FailIcon />
      <p>{t(shown.kind === 'unchecked' ? 'serverUnreachable' : 'notOnServer')}</p>
      {shown.kind === 'unchecked' && (
        <Button small onClick={shown.retry}>
          {common('retry')}
        </Button>
      )}
    </div>
  );
}

function FactsCard({ shown }: { shown: Shown }) {
  const { t } = useTranslation('apps');
  const { bytes, dateTime } = useFormat();
  const known = shown.kind === 'known' ? shown.app : undefined;
  const { code, ctime } = shown.app;
  if (!known && code === undefined && ctime === undefined) return null;
  return (
    <Card>
      <Facts
        rows={[
          [t('version'), known && <bdi>{known.version}</bdi>],
          [t('code'), code === undefined ? undefined : <span className="device">{code}</span>],
          [t('size'), known && bytes(known.bytes)],
          [t('ctime'), ctime === undefined ? undefined : dateTime(ctime)],
          [t('publisher'), known && (known.uploadedBy?.username ?? t('publisherAbove'))],
          [t('signer'), known?.signer && <bdi className="device">{known.signer}</bdi>],
        ]}
      />
    </Card>
  );
}

function Actions({ app }: { app: App }) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  const leave = useLeave();
  const [editing, setEditing] = useState(false);
  const remove = async () => {
    if (await askToDelete(app)) void leave('/applist', { replace: true });
  };
  return (
    <>
      <ActionList
        items={[
          { text: common('edit'), icon: <PencilIcon />, onPick: () => setEditing(true) },
          {
            text: t(app.published ? 'unpublish' : 'publish'),
            hint: t(app.published ? 'unpublishHint' : 'publishHint'),
            icon: app.published ? <EyeOffIcon /> : <EyeIcon />,
            onPick: () => void togglePublished(app),
          },
          { text: t('deleteApp'), icon: <TrashIcon />, danger: true, onPick: () => void remove() },
        ]}
      />
      {editing && (
        <EditApp
          app={app}
          onClose={() => setEditing(false)}
          onSaved={(saved) => void leave(detailsPath(saved), { replace: true })}
        />
      )}
    </>
  );
}
