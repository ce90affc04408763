import type { App, UpdateAppBody } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { appChanged, appDeleted, calls } from '../queries/apps.ts';

async function change(app: App, body: UpdateAppBody, done: string): Promise<boolean> {
  const answer = await calls.update({ params: { id: app.id }, body });
  if (answer.error !== undefined) return false;
  toast.success(done);
  await appChanged(answer.data);
  return true;
}

/** Publishing reaches devices, taking back does not reach those that have it: both are asked for. */
export function togglePublished(app: App): Promise<boolean> {
  const t = i18next.getFixedT(null, 'apps');
  const named = { name: app.name, version: app.version };
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
export function deleteApp(app: App): Promise<boolean> {
  const t = i18next.getFixedT(null, 'apps');
  return confirm({
    title: t('deleteTitle', { name: app.name, version: app.version }),
    body: t('deleteBody'),
    action: t('deleteApp'),
    danger: true,
    run: async () => {
      const answer = await calls.delete({ params: { id: app.id } });
      if (answer.error !== undefined) return false;
      toast.success(i18next.t('deleted'));
      appDeleted(app.id);
      return true;
    },
  });
}
