import type { routes } from '@ams/contract';
import type { Handlers } from '../platform/http/mount.ts';
import type { Deps } from '../platform/process/deps.ts';
import { searchAll } from './search.queries.ts';

export const searchRoutes = ({ db }: Deps): Handlers<typeof routes.search> => ({
  list: async ({ viewer, query }) => ({ items: await searchAll(db, viewer, query.q) }),
});
