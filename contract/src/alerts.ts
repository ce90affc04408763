import { z } from 'zod';
import { Id, routeTable } from './kernel/route.ts';

/** Time offline after which an alert is sent. */
export const OFFLINE_MINUTES = { min: 2, max: 10_080, default: 15 };
/** Time before expiry at which an alert is sent. */
export const EXPIRING_DAYS = { min: 1, max: 90, default: 7 };
/** Devices named in one message; the others are counted. */
export const ALERT_NAMES_MAX = 50;

/** The code that confirms an e-mail address: its letters, hours, tries, and how often another one is sent. */
export const EMAIL_CODE = { length: 8, hours: 24, tries: 5, pauseSeconds: 60, perDay: 10 };

export const EmailCode = z.object({ code: z.string().trim().min(1, 'code.required').max(40) });

const HttpUrl = z
  .string()
  .trim()
  .max(500)
  .pipe(z.url({ protocol: /^https?$/, error: 'webhook.url' }));

/** Null switches a way or an occasion off. */
export const AlertsBody = z.object({
  email: z.string().trim().max(200).pipe(z.email('email.invalid')).nullable(),
  webhook: HttpUrl.nullable(),
  offlineMinutes: z
    .number('alerts.offlineMinutes')
    .int('alerts.offlineMinutes')
    .min(OFFLINE_MINUTES.min, 'alerts.offlineMinutes')
    .max(OFFLINE_MINUTES.max, 'alerts.offlineMinutes')
    .nullable(),
  expiringDays: z
    .number('alerts.expiringDays')
    .int('alerts.expiringDays')
    .min(EXPIRING_DAYS.min, 'alerts.expiringDays')
    .max(EXPIRING_DAYS.max, 'alerts.expiringDays')
    .nullable(),
  /** Alerts are about the devices of this group only; null: about all in scope. */
  group: Id.nullish(),
});
export type AlertsBody = z.output<typeof AlertsBody>;
/** Fields that are left out stay as they are. */
export const UpdateAlertsBody = AlertsBody.partial();
export type UpdateAlertsBody = z.output<typeof UpdateAlertsBody>;

export const AlertWay = z.enum(['email', 'webhook']);
export type AlertWay = z.output<typeof AlertWay>;

/** `secret` signs what the webhook gets; `mail` is false where the installation cannot send e-mail. */
export const Alerts = AlertsBody.extend({
  /** `name` null: the group was deleted with its owner. Nothing is sent until other devices are chosen. */
  group: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  /** Whether the address was confirmed; none gets alerts before. */
  emailConfirmed: z.boolean(),
  secret: z.string(),
  mail: z.boolean(),
  /** Why the last message of a way did not arrive; null when it did. */
  trouble: z.object({ email: z.string().nullable(), webhook: z.string().nullable() }),
});
export type Alerts = z.output<typeof Alerts>;

/**
 * Body of a webhook call (POST). `x-ams-signature` is the lower-case hexadecimal HMAC-SHA-256, by the secret,
 * of `x-ams-timestamp` (seconds since 1970), a full stop and the body. A message that was not answered with 2xx within 10 s,
 * or whose server died meanwhile, is sent again for a day, with the same `x-ams-id`.
 */
export const AlertMessage = z.object({
  type: z.enum(['offline', 'expiring', 'replaced', 'short', 'test']),
  at: z.iso.datetime(),
  total: z.number().int(),
  devices: z.array(
    z.object({
      id: z.uuid(),
      mac: z.string(),
      name: z.string(),
      owner: z.string(),
      lastSeenAt: z.iso.datetime().nullable(),
      expiresAt: z.iso.date().nullable(),
    }),
  ),
  /** Running campaigns that will end with fewer plays than ordered (`short`). */
  campaigns: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      customer: z.string(),
      ordered: z.number().int(),
      short: z.number().int(),
    }),
  ),
});
export type AlertMessage = z.output<typeof AlertMessage>;

export const alerts = routeTable({
  get: {
    method: 'GET',
    url: '/api/alerts',
    access: 'user',
    // It contains the key that signs alerts.
    people: 'operators',
    summary: "The viewer's alert settings for devices in scope",
    response: Alerts,
  },
  update: {
    method: 'PUT',
    url: '/api/alerts',
    access: 'user',
    summary: 'Update the alert settings that are given; alerts use the language of this call',
    body: UpdateAlertsBody,
    response: Alerts,
  },
  confirm: {
    method: 'POST',
    url: '/api/alerts/confirm',
    access: 'user',
    perMinute: 60,
    summary: 'Confirm the e-mail address with the code that was sent to it',
    body: EmailCode,
    errors: ['BAD_EMAIL_CODE'],
    response: Alerts,
  },
  resendCode: {
    method: 'POST',
    url: '/api/alerts/confirmation',
    access: 'user',
    perMinute: 10,
    summary: 'Send another code to the e-mail address; at most one per minute and ten per day (429)',
    response: Alerts,
  },
  test: {
    method: 'POST',
    url: '/api/alerts/test',
    access: 'user',
    perMinute: 10,
    summary: 'Send a test alert by e-mail and webhook, as far as they are set',
    response: Alerts,
  },
});
