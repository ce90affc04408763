import { Readable } from 'node:stream';
import { type routes, SHARE_DAYS } from '@ams/contract';
import pLimit from 'p-limit';
import { actingAs } from '../platform/auth/authority.ts';
import { attachment } from '../platform/http/attachment.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { webAddress } from '../platform/http/web-address.ts';
import type { Deps } from '../platform/process/deps.ts';
import { createShare, type SharedPages } from '../shares/shares.service.ts';
import { findAvailability } from './availability.service.ts';
import { approveCampaign, bookCampaign, requestCampaign } from './booking.service.ts';
import { getCampaign, listCampaigns } from './campaigns.queries.ts';
import { cancelCampaign, createCampaign, deleteCampaign, rejectCampaign, updateCampaign } from './campaigns.service.ts';
import { getDelivery } from './delivery.service.ts';
import { getOccupancy } from './occupancy.service.ts';
import { openProof } from './proof.service.ts';
import { getRevenue } from './revenue.service.ts';
import { exportRevenue } from './revenue.sheets.ts';
import { getStatement } from './statement.service.ts';
import { exportStatement } from './statement.sheets.ts';
import { getCampaignSettings, updateCampaignSettings } from './settings.service.ts';

/** Database connections for bookings, which wait for each other's devices; the others remain for everybody else. */
const BOOKINGS_AT_ONCE = 6;

export function campaignsRoutes(deps: Deps, pages: SharedPages): Handlers<typeof routes.campaigns> {
  const inTurn = pLimit(BOOKINGS_AT_ONCE);
  return {
    list: ({ viewer, query }) => listCampaigns(deps.db, viewer, query),
    create: ({ viewer, body }) => createCampaign(deps, viewer, body),
    get: ({ viewer, params }) => getCampaign(deps.db, viewer, params.id),
    update: ({ viewer, params, body }) => updateCampaign(deps, viewer, params.id, body),
    delete: async ({ viewer, params }) => {
      await deleteCampaign(deps, viewer, params.id);
      return null;
    },
    availability: ({ viewer, body }) => findAvailability(deps, viewer, body),
    request: ({ viewer, params, body }) => requestCampaign(deps, viewer, params.id, body?.updatedAt),
    approve: ({ viewer, params, body }) => inTurn(() => approveCampaign(deps, viewer, params.id, body?.updatedAt)),
    reject: ({ viewer, params, body }) => rejectCampaign(deps, viewer, params.id, body),
    book: ({ viewer, params, body }) => inTurn(() => bookCampaign(deps, viewer, params.id, body?.updatedAt)),
    cancel: ({ viewer, params }) => cancelCampaign(deps, viewer, params.id),
    delivery: ({ viewer, params }) => getDelivery(deps.db, viewer, params.id),
    statement: async ({ viewer, params, query: { format, ...period }, request, reply }) => {
      const statement = await actingAs(deps.db, viewer, {}, (trx, actor) =>
        getStatement(trx, actor, params.id, period),
      );
      if (format === 'json') return statement;
      const words = messagesFor(request.headers['accept-language']);
      const { name, type, bytes } = await exportStatement(deps, statement, words);
      return reply.type(type).header('content-disposition', attachment(name)).send(bytes);
    },
    share: ({ viewer, params, body, request }) => {
      const { days = SHARE_DAYS.default, ...period } = body ?? {};
      const subject = { kind: 'statement' as const, campaignId: params.id, ...period };
      return createShare(deps.db, pages, viewer, { subject, days }, webAddress(deps.config, request));
    },
    proof: async ({ viewer, params, query, reply }) => {
      const { name, pieces } = await openProof(deps.db, viewer, params.id, query);
      const file = attachment(name);
      void reply.type('application/json').header('content-disposition', file).send(Readable.from(pieces));
    },
    revenue: async ({ viewer, query: { format, ...months }, request, reply }) => {
      const revenue = await getRevenue(deps.db, viewer, months);
      if (format === 'json') return revenue;
      const words = messagesFor(request.headers['accept-language']);
      const { name, type, bytes } = await exportRevenue(deps, revenue, words);
      return reply.type(type).header('content-disposition', attachment(name)).send(bytes);
    },
    occupancy: ({ viewer }) => getOccupancy(deps.db, viewer),
    getSettings: ({ viewer }) => getCampaignSettings(deps.db, viewer),
    updateSettings: ({ viewer, body }) => updateCampaignSettings(deps.db, viewer, body),
  };
}
