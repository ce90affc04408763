import type { routes } from '@ams/contract';
import type { Handlers } from '../platform/http/mount.ts';
import type { Deps } from '../platform/process/deps.ts';
import { Scanners } from './scanners.ts';
import { countScan, findScanned, scansOfCampaign, scansOfRelease } from './scans.service.ts';

/** Every scan comes here, and the advertiser learns nothing of the installation. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

export const scansRoutes = ({ db, log }: Pick<Deps, 'db' | 'log'>): Handlers<typeof routes.scans> => {
  const scanners = new Scanners();
  return {
    follow: async ({ params, request, reply }) => {
      const scanned = await findScanned(db, params.code);
      const counts = request.method === 'GET' && scanners.isNew(params.code, request.ip, request.headers);
      // A person in front of a screen is led on also while the database takes nothing, as on a full disk.
      if (counts)
        await countScan(db, scanned).catch((error: unknown) => log.warn({ err: error }, 'a scan did not count'));
      void reply.code(302).headers(HEADERS).header('location', scanned.url).send();
    },
    ofRelease: ({ viewer, params }) => scansOfRelease(db, viewer, params.id),
    ofCampaign: ({ viewer, params }) => scansOfCampaign(db, viewer, params.id),
  };
};
