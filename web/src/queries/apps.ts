import { type App, type UpdateAppBody, apps } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed, removeListed, restartLists } from '../platform/query.ts';
import { applied, APPS } from './keys.ts';

const calls = callsOf(apps);
const quiet = callsOf(apps, { quiet: true });
const LIST = [...APPS, 'list'] as const;

export const appsQuery = () => pageQuery<App>(LIST, (page) => calls.list({ query: page }));

/** Quiet: the page shows the values of its address and reports a missing version by itself. */
export const appQuery = (id: string) =>
  queryOptions({ queryKey: [...APPS, 'one', id], queryFn: () => unwrap(quiet.get({ params: { id } })) });

async function stored(app: App): Promise<void> {
  queryClient.setQueryData(appQuery(app.id).queryKey, app);
  await refreshListed<App>(LIST, [app.id], quiet);
}

export const updateApp = (id: string, body: UpdateAppBody) => applied(calls.update({ params: { id }, body }), stored);

export const deleteApp = (id: string) =>
  applied(calls.delete({ params: { id } }), () => {
    removeListed(LIST, [id]);
    queryClient.removeQueries({ queryKey: appQuery(id).queryKey });
  });

/** A version that was just uploaded. */
export const loadUploadedApp = (id: string) => calls.get({ params: { id } });

/** After a version was uploaded. */
export const appAdded = (): Promise<void> => restartLists(APPS);
