import { type App, apps } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed, removeListed, restartLists } from '../platform/query.ts';

export const calls = callsOf(apps);
const quiet = callsOf(apps, { quiet: true });

const APPS = ['apps'] as const;
const LIST = [...APPS, 'list'] as const;

export const appsQuery = () => pageQuery<App>(LIST, (page) => calls.list({ query: page }));

/** Quiet: the page that was painted from its address says itself what the server does not know. */
export const appQuery = (id: string) =>
  queryOptions({ queryKey: [...APPS, 'one', id], queryFn: () => unwrap(quiet.get({ params: { id } })) });

/** After a version was changed: `app` is what the server answered. */
export async function appChanged(app: App): Promise<void> {
  queryClient.setQueryData(appQuery(app.id).queryKey, app);
  await refreshListed<App>(LIST, [app.id], (id) => quiet.get({ params: { id } }));
}

export function appDeleted(id: string): void {
  removeListed(LIST, [id]);
  queryClient.removeQueries({ queryKey: appQuery(id).queryKey });
}

/** After a version was uploaded. */
export const appAdded = (): Promise<void> => restartLists(APPS);
