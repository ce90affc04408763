import { z } from 'zod';
import { IdParams, raw, routeTable } from './kernel/route.ts';

/** Devices that an answer names; the others are in the total. */
export const SCANNED_DEVICES_MAX = 20;

/**
 * How often a QR code was scanned; days and hours are those of the devices. Nothing is known of who scanned it.
 * `devices`: those in scope with the most scans.
 */
export const Scans = z.object({
  /** Whether any of it carries a code. */
  carries: z.boolean(),
  total: z.number().int(),
  days: z.array(z.object({ day: z.iso.date(), scans: z.number().int() })),
  /** By the hour of the day, 24 numbers. */
  hours: z.array(z.number().int()),
  devices: z.array(z.object({ device: z.object({ id: z.uuid(), name: z.string() }), scans: z.number().int() })),
});
export type Scans = z.output<typeof Scans>;

export const scans = routeTable({
  follow: {
    method: 'GET',
    url: '/q/:code',
    access: 'open',
    summary: 'The short link in the QR code of an ad on a device: counts the scan and leads to the address of the ad',
    params: z.object({ code: z.string().max(100) }),
    errors: ['NOT_FOUND'],
    alsoAnswers: [302],
    response: raw('text/html'),
  },
  ofRelease: {
    method: 'GET',
    url: '/api/releases/:id/scans',
    access: 'user',
    summary: 'How often the QR code of a release was scanned',
    params: IdParams,
    response: Scans,
  },
  ofCampaign: {
    method: 'GET',
    url: '/api/campaigns/:id/scans',
    access: 'user',
    summary: 'How often the QR codes of a campaign were scanned',
    params: IdParams,
    response: Scans,
  },
});
