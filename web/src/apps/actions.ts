import type { App, UpdateAppBody } from '@ams/contract';
import i18next from 'i18next';
import { succeeded } from '../ui/feedback/outcome.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { isolated } from '../ui/format/bidi.ts';
import { deleteApp, updateApp } from '../queries/apps.ts';

const change = async (app: App, body: UpdateAppBody, done: string): Promise<boolean> =>
  succeeded(await updateApp(app.id, body), done);

/** Publishing reaches devices, taking back does not reach those that have it: both are asked for. */
export function togglePublished(app: App): Promise<boolean> {
  const t = i18next.getFixedT(null, 'apps');
  const named = { name: isolated(app.name), version: app.version };
  return app.published
    ? confirm({
        title: t('unpublishTitle', named),
        body: t('unpublishBody'),
        action: t('unpublish'),
        run: () => change(app, { published: false }, t('unpublishDone')),
      })
    : confirm({
        title: t('publishTitle', named),
        body: t(app.forced ? 'publishForcedBody' : 'publishBody'),
        action: t('publish'),
        run: () => change(app, { published: true }, t('published')),
      });
}

/** Resolves true once the version is gone. */
export function askToDelete(app: App): Promise<boolean> {
  const t = i18next.getFixedT(null, 'apps');
  return confirm({
    title: t('deleteTitle', { name: isolated(app.name), version: app.version }),
    body: t('deleteBody'),
    action: t('deleteApp'),
    danger: true,
    run: async () => succeeded(await deleteApp(app.id), i18next.t('deleted')),
  });
}
