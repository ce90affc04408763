import { z } from 'zod';
import { routeTable } from './kernel/route.ts';
import { raw } from './kernel/route.ts';

export const EXPIRY_WARNING_DAYS = 30;
export const HOME_EXPIRING_MAX = 20;
export const LIVE_BEAT_SECONDS = 20;
/** A stream begins with what changed within these seconds: the page may have read what it shows before that. */
export const LIVE_RECENT_SECONDS = 15;

/** Numbers within the caller's scope. Bytes are bytes, times ISO 8601 UTC, days `YYYY-MM-DD`. */
export const HomeSummary = z.object({
  users: z.object({ total: z.number(), disabled: z.number(), newThisWeek: z.number() }),
  devices: z.object({
    total: z.number(),
    online: z.number(),
    expired: z.number(),
    expiring: z.number(),
    waiting: z.number(),
    /** Paired and not connected, in their working hours. */
    offline: z.number(),
    failed: z.number(),
    /** Online with content that waits for long. */
    stalled: z.number(),
  }),
  ads: z.object({ total: z.number(), released: z.number() }),
  resources: z.object({ videos: z.number(), images: z.number(), bytes: z.number(), playsToday: z.number() }),
  expiring: z.array(z.object({ id: z.uuid(), mac: z.string(), name: z.string(), expiresAt: z.iso.date() })),
  /** Releases that the caller requested, rejected within the last `REJECTED_DAYS` days and not requested again since. */
  rejectedReleases: z.number(),
  /** Campaigns that the caller requested, rejected and not changed since. */
  rejectedCampaigns: z.number(),
  /** For leading users: the server's disk is full, and only what frees space is done. */
  storageFull: z.boolean(),
  merchant: z.object({ username: z.string(), phone: z.string().nullable() }).nullable(),
  history: z.object({
    online: z.array(z.tuple([z.iso.datetime(), z.number()])),
    plays: z.array(z.tuple([z.iso.date(), z.number()])),
  }),
});
export type HomeSummary = z.output<typeof HomeSummary>;

/**
 * Ids in scope that changed since the last event, by kind; at most one event per second and kind. Without ids, anything
 * may have changed. The stream begins with the changes of the last `LIVE_RECENT_SECONDS`. A comment is sent at least
 * every `LIVE_BEAT_SECONDS`: a stream that is silent for longer is dead.
 */
export interface LiveEvent {
  ids: string[];
}
export const LIVE_KINDS = ['device', 'file', 'release', 'campaign'] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

export const home = routeTable({
  summary: {
    method: 'POST',
    reads: true,
    url: '/api/',
    access: 'user',
    summary: 'The home page in one call',
    response: HomeSummary,
  },
  live: {
    method: 'GET',
    url: '/api/live',
    access: 'user',
    summary: 'Server-sent events with the ids of devices, files, releases and campaigns in scope that changed',
    response: raw('text/event-stream'),
  },
});
