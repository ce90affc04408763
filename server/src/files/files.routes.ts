import type { files as routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { countFiles, listFiles } from './files.queries.ts';
import { remove, removeMany, rename, requireFile, requireOwner } from './files.service.ts';
import { KnownContents } from './known-contents.ts';
import { sendMedia, sendPoster } from './serving.ts';

export function filesRoutes(deps: Deps): Handlers<typeof routes> {
  const known = new KnownContents(deps.db);
  return {
    list: async ({ viewer, query }) => {
      await requireOwner(deps.db, viewer, query.owner);
      return listFiles(deps.db, deps.signer, viewer, query);
    },
    counts: async ({ viewer, query }) => {
      await requireOwner(deps.db, viewer, query.owner);
      return { items: await countFiles(deps.db, viewer, query.owner) };
    },
    get: ({ viewer, params }) => requireFile(deps, viewer, params.id),
    rename: ({ viewer, params, body }) => rename(deps, viewer, params.id, body.name),
    remove: async ({ viewer, params }) => {
      await remove(deps.db, viewer, params.id);
      return null;
    },
    removeMany: ({ viewer, body }) => removeMany(deps.db, viewer, body.ids),
    media: ({ request, reply, params, query }) => sendMedia(deps, known, request, reply, params.sha256, query),
    poster: ({ request, reply, params, query }) => sendPoster(deps, known, request, reply, params.sha256, query),
  };
}
