import { type App, AppName } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSession } from '../../platform/session.ts';
import { useLeave } from '../../platform/shown.ts';
import { toast } from '../../platform/toast.ts';
import { discard, lookUp, startTransfer } from '../../platform/transfer/transfer.ts';
import { discardUpload, provideTransport } from '../../platform/transfer/transport.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState, LeadingOnly } from '../../ui/feedback/States.tsx';
import { provideIndicator } from '../../ui/transfer/IndicatorPlace.tsx';
import { Unfinished } from '../../ui/transfer/Unfinished.tsx';
import { ApkIndicator } from '../ApkIndicator.tsx';
import { ApkPicker } from '../ApkPicker.tsx';
import { ApkProgress } from '../ApkProgress.tsx';
import { AppFields, AppForm, SwitchRow } from '../AppFields.tsx';
import { detailsPath } from '../address.ts';
import { settingsQuery } from '../../queries/settings.ts';
import { appAdded, updateApp } from '../../queries/apps.ts';
import { type ApkUpload, apkFingerprint, apkPlace, apkUpload, useApkUpload } from '../upload.ts';

provideTransport({ startTransfer, discard, lookUp });
provideIndicator('apps', ApkIndicator);

/** Left empty, the name is the one in the APK. */
const UploadForm = AppForm.extend({ name: z.literal('').or(AppName) });

export default function AppUploadPage() {
  const { t } = useTranslation('apps');
  // The answer of a proxy has no role: by `leading` it would take the form away.
  const { role, current } = useSession();
  const upload = useApkUpload();
  const settings = useQuery(settingsQuery);
  if (role === 'member') {
    return (
      <Page title={t('uploadTitle')} back="/applist" narrow>
        <LeadingOnly action={<ButtonLink to="/applist">{t('title')}</ButtonLink>} />
      </Page>
    );
  }
  const maxBytes = settings.data?.upload.maxAppBytes;
  return (
    <Page title={t('uploadTitle')} back="/applist" narrow>
      <Card>
        {upload.kind !== 'none' ? (
          <ApkProgress upload={upload} />
        ) : maxBytes !== undefined ? (
          <ApkPicker maxBytes={maxBytes} onChoose={(file) => apkUpload.choose(file, maxBytes)} />
        ) : settings.error ? (
          <ErrorState error={settings.error} onRetry={() => settings.refetch()} />
        ) : (
          <Skeleton height={160} />
        )}
      </Card>
      {current && (
        <Unfinished
          place={apkPlace(current.id)}
          here={hereOf(upload, current.id)}
          onDiscard={(fingerprint) => void discardUpload(fingerprint)}
          onDone={() => void appAdded()}
        />
      )}
      <About app={upload.kind === 'done' ? upload.app : undefined} />
    </Page>
  );
}

/** The fingerprint of what this tab sends. */
const hereOf = (upload: ApkUpload, by: string): ReadonlySet<string> =>
  new Set('file' in upload ? [apkFingerprint(by, upload.file)] : []);

/** Description of the version; it can be entered during the upload of the APK. */
function About({ app }: { app: App | undefined }) {
  const { t } = useTranslation('apps');
  const leave = useLeave();
  const form = useForm({
    schema: UploadForm,
    initial: apkUpload.about() ?? { name: '', content: '', forced: false, istype: 1, published: false },
    keeping: { as: 'new app' },
    send: ({ name, ...body }) => updateApp(app?.id ?? '', { ...body, name: name.trim() || undefined }),
    onDone: async (saved) => {
      toast.success(t(saved.published ? 'published' : 'savedUnpublished'));
      apkUpload.stop();
      apkUpload.keepAbout(undefined);
      void leave(detailsPath(saved), { replace: true });
    },
  });
  const { values } = form;
  useEffect(() => apkUpload.keepAbout(values), [values]);
  const { published } = values;
  return (
    <Card title={t('about')}>
      <Form form={form} label={t('about')}>
        <AppFields form={form} nameHint={t('nameHint')} namePlaceholder={app?.name} />
        <SwitchRow
          label={t('publishNow')}
          hint={t('publishHint')}
          checked={published}
          onChange={(next) => form.set('published', next)}
        />
        <Button look="primary" block submit disabled={!app} loading={form.sending}>
          {t(published ? 'publish' : 'keepUnpublished')}
        </Button>
        {!app && <p className="caption">{t('publishLater')}</p>}
      </Form>
    </Card>
  );
}
