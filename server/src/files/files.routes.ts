import type { files as routes } from '@ams/contract';
import { BlobSender, type WasSent } from '../blobs/serving.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { countFiles, listFiles } from './files.queries.ts';
import { listFileUses } from './uses.queries.ts';
import { deleteFile, deleteManyFiles, type FileLinks, getFile, requireOwner, updateFile } from './files.service.ts';

/** @param wasSent whether a release brought a content to a device: it may then download it with its token */
export function filesRoutes(deps: Deps, links: FileLinks & { wasSent: WasSent }): Handlers<typeof routes> {
  const sender = new BlobSender(deps, links.wasSent);
  return {
    list: async ({ viewer, query }) => {
      await requireOwner(deps.db, viewer, query.owner);
      return listFiles(deps.db, deps.signer, viewer, query);
    },
    counts: async ({ viewer, query }) => {
      await requireOwner(deps.db, viewer, query.owner);
      return { items: await countFiles(deps.db, viewer, query.owner) };
    },
    get: ({ viewer, params }) => getFile(deps, viewer, params.id),
    update: ({ viewer, params, body }) => updateFile(deps, viewer, params.id, body),
    delete: async ({ viewer, params }) => {
      await deleteFile(deps.db, links, viewer, params.id);
      return null;
    },
    uses: async ({ viewer, params, query }) => {
      await getFile(deps, viewer, params.id);
      return listFileUses(deps.db, viewer, params.id, query);
    },
    deleteMany: ({ viewer, body }) => deleteManyFiles(deps.db, links, viewer, body.ids),
    media: ({ request, reply, params, query }) => sender.sendMedia(request, reply, params.sha256, query),
    poster: ({ request, reply, params, query }) => sender.sendPoster(request, reply, params.sha256, query),
  };
}
