import './alerts.tables.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AlertMessage,
  type Alerts,
  type AlertWay,
  AppError,
  EMAIL_CODE,
  type Language,
  type UpdateAlertsBody,
} from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { findDeviceSet } from '../groups/groups.service.ts';
import type { Config, Deps } from '../platform/process/deps.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs, findActor } from '../platform/auth/authority.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { toStorable } from '../platform/database/unstorable.ts';
import type { LaneTask, Task } from '../platform/jobs/jobs.ts';
import { repeatLastTries } from '../platform/jobs/last-tries.ts';
import { runSteps } from '../platform/jobs/steps.ts';
import { watchCampaigns } from './campaigns.ts';
import { confirmEmail, countEmailTry, isConfirmed, newEmailCode } from './confirm.service.ts';
import type { AlertLinks } from './links.ts';
import { mail } from './mail.ts';
import { confirmationLetter, letterOf, messageAbout, testMessage } from './message.ts';
import { Due, queueMessages, watch } from './watch.ts';
import { postWebhook } from './webhook.ts';

export { announceReplaced } from './watch.ts';

const SECRET_BYTES = 32;
const REASON_MAX = 200;

type Setting = Awaited<ReturnType<typeof find>>;

/** A user's alert settings; the first read creates the webhook secret. */
const find = (db: Db, userId: string, language: Language) =>
  db
    .insertInto('alerts')
    .values({ user_id: userId, secret: randomBytes(SECRET_BYTES).toString('hex'), language })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returningAll()
    .executeTakeFirstOrThrow();

const present = async (db: Db, setting: Setting, config: Config): Promise<Alerts> => ({
  email: setting.email,
  emailConfirmed: isConfirmed(setting),
  webhook: setting.webhook,
  offlineMinutes: setting.offline_minutes,
  expiringDays: setting.expiring_days,
  group: await findGroupRef(db, setting.group_id),
  secret: setting.secret,
  mail: config.mail !== undefined,
  trouble: { email: setting.email_trouble, webhook: setting.webhook_trouble },
});

/** The name of the group `id`, which was in the user's scope when it was chosen; null if it was deleted. */
async function findGroupRef(db: Db, id: string | null): Promise<Alerts['group']> {
  if (id === null) return null;
  const group = await db.selectFrom('groups').select('name').where('id', '=', id).executeTakeFirst();
  return { id, name: group?.name ?? null };
}

/** Refuses a group out of scope. One that was chosen before and is gone can stay. Throws `NOT_FOUND`. */
async function checkGroup(trx: Db, actor: Scoped, id: string, before: string | null): Promise<void> {
  if (id === before && (await findGroupRef(trx, id))?.name === null) return;
  // Somebody who deletes it at this moment waits, and is then told of these alerts.
  await sql`select from groups where id = ${id} for key share`.execute(trx);
  await findDeviceSet(trx, actor, id);
}

/** The users whose alerts are about a group only; null for those out of the viewer's scope. */
export async function findAlertsOn(db: Db, viewer: Scoped, groupId: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ username: string | null }>`
    select case when ${inScope(viewer, sql`u.id`)} then u.username end as username
    from alerts a join users u on u.id = a.user_id where a.group_id = ${groupId} order by u.username_key`.execute(db);
  return rows.map(({ username }) => username);
}

export const getAlerts = async ({ db, config }: Deps, userId: string, language: Language): Promise<Alerts> =>
  present(db, await find(db, userId, language), config);

export async function updateAlerts(
  deps: Deps,
  viewer: Viewer,
  language: Language,
  body: UpdateAlertsBody,
): Promise<Alerts> {
  const { db, config } = deps;
  let isNew = false;
  const setting = await actingAs(db, viewer, {}, async (trx, actor) => {
    const before = await find(trx, viewer.id, language);
    if (body.group) await checkGroup(trx, actor, body.group, before.group_id);
    const { email = before.email, webhook = before.webhook } = body;
    isNew = email !== before.email;
    // Addresses of webhooks often hold a key: where they lead is enough to know.
    const details = { ...body, ...(body.webhook && { webhook: new URL(body.webhook).origin }) };
    await audit(trx, viewer, { action: 'alerts.change', details });
    return trx
      .updateTable('alerts')
      .set({
        email,
        webhook,
        offline_minutes: body.offlineMinutes,
        expiring_days: body.expiringDays,
        group_id: body.group,
        language,
        ...(email !== before.email && { email_trouble: null }),
        ...(webhook !== before.webhook && { webhook_trouble: null }),
      })
      .where('user_id', '=', viewer.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  if (!isNew) return present(db, setting, config);
  // Without a mail the address stays unconfirmed, and the page offers to send one.
  await askToConfirm(deps, setting);
  return getAlerts(deps, viewer.id, language);
}

/** Sends a code to an address that is not confirmed; answers false when too many were sent. */
async function askToConfirm(deps: Deps, setting: Setting): Promise<boolean> {
  const { email, language, user_id: userId } = setting;
  if (email === null || isConfirmed(setting) || !deps.config.mail) return true;
  const code = await newEmailCode(deps.db, userId, email);
  if (code === undefined) return false;
  const letter = confirmationLetter(code, { language, webAddress: deps.config.publicUrl });
  await noteSoon(deps, setting, 'email', mail(deps, email, letter));
  return true;
}

/** People wait so long for a mail server or a receiver; their own program gives up after 5 s. */
const PATIENCE_MS = 3000;
const NO_ANSWER = 'no answer yet';

/** Notes what becomes of a message, after that time that there is no answer yet; what comes later is noted then. */
async function noteSoon(deps: Deps, setting: Setting, way: AlertWay, sending: Promise<unknown>): Promise<void> {
  const trouble = attempt(sending);
  const known = await Promise.race([trouble, sleep(PATIENCE_MS, NO_ANSWER, { ref: false })]);
  await note(deps, setting, way, known);
  if (known !== NO_ANSWER) return;
  trouble
    .then((late) => note(deps, setting, way, late))
    .catch((error: unknown) => deps.log.warn({ err: error }, 'the outcome of an alert could not be noted'));
}

/** Sends another code. @throws `TOO_MANY` */
export async function resendCode(deps: Deps, viewer: Viewer, language: Language): Promise<Alerts> {
  const sent = await askToConfirm(deps, await find(deps.db, viewer.id, language));
  if (!sent) throw new AppError('TOO_MANY', { seconds: EMAIL_CODE.pauseSeconds });
  return getAlerts(deps, viewer.id, language);
}

/** Confirms the viewer's address. @throws `BAD_EMAIL_CODE` */
export async function confirmAddress(deps: Deps, viewer: Viewer, language: Language, code: string): Promise<Alerts> {
  await countEmailTry(deps.db, viewer.id);
  await actingAs(deps.db, viewer, {}, async (trx) => {
    const email = await confirmEmail(trx, viewer.id, code);
    await audit(trx, viewer, { action: 'alerts.change', details: { confirmed: email } });
  });
  return getAlerts(deps, viewer.id, language);
}

export async function testAlerts(deps: Deps, userId: string, language: Language): Promise<Alerts> {
  const setting = await find(deps.db, userId, language);
  await Promise.all(
    (['email', 'webhook'] as const).map(async (way) => {
      const sending = sendingOf(deps, setting, { id: uuidv7(), way }, testMessage());
      if (sending) await noteSoon(deps, setting, way, sending);
    }),
  );
  return getAlerts(deps, userId, language);
}

/** A message on its way by one channel; undefined if that is not set. */
function sendingOf(
  deps: Deps,
  setting: Setting,
  { id, way }: Pick<Due, 'id' | 'way'>,
  message: AlertMessage,
): Promise<unknown> | undefined {
  if (setting[way] === null || (way === 'email' && !isConfirmed(setting))) return undefined;
  return way === 'email' ? mailAlert(deps, setting, message) : hook(deps, setting, id, message);
}

/** Sends a message by one channel if it is set, and stores the result. Returns whether nothing is left to send. */
async function send(deps: Deps, setting: Setting, due: Due, message: AlertMessage): Promise<boolean> {
  const sending = sendingOf(deps, setting, due, message);
  if (!sending) return true;
  const trouble = await attempt(sending);
  await note(deps, setting, due.way, trouble);
  return trouble === null;
}

/** Stores the result of a message, unless the address was replaced while it was on its way. */
async function note(deps: Deps, setting: Setting, way: AlertWay, trouble: string | null): Promise<void> {
  await deps.db
    .updateTable('alerts')
    .set({ [`${way}_trouble` as const]: trouble })
    .where('user_id', '=', setting.user_id)
    .where(way, '=', setting[way])
    .execute();
  if (trouble !== null) deps.log.warn({ way, trouble, user: setting.user_id }, 'an alert could not be delivered');
}

/** Null, or why it failed. */
const attempt = (sending: Promise<unknown>): Promise<string | null> =>
  sending.then(
    () => null,
    (error: unknown) => toStorable((error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)),
  );

async function mailAlert(deps: Deps, setting: Setting, message: AlertMessage): Promise<void> {
  const letter = letterOf(message, {
    language: setting.language,
    offlineMinutes: setting.offline_minutes,
    groupId: setting.group_id,
    webAddress: deps.config.publicUrl,
  });
  await mail(deps, setting.email ?? '', letter);
}

const hook = ({ config }: Deps, { webhook, secret }: Setting, id: string, message: AlertMessage): Promise<void> =>
  postWebhook({ url: webhook ?? '', secret, id, internal: config.internalWebhooks }, message);

/** The alert to send at this attempt; undefined if there is nothing to report or the user lost access. */
async function compose(
  trx: Db,
  links: AlertLinks,
  due: Due,
): Promise<{ setting: Setting; message: AlertMessage } | undefined> {
  const actor = await findActor(trx, due.userId);
  const setting = await trx.selectFrom('alerts').selectAll().where('user_id', '=', due.userId).executeTakeFirst();
  const message = actor && (await messageAbout(trx, links, actor, due));
  return setting && message && message.total > 0 ? { setting, message } : undefined;
}

/** graphile-worker crontab: devices and campaigns are looked at every minute. */
export const ALERTS_CRON = '* * * * * alerts_watch ?max=1';

/** The tries of a job are over within minutes; mail servers and receivers are away for longer. */
const SEND_LATER_MS = 5 * 60_000;
const SEND_WITHIN_MS = 86_400_000;

/** Sends a message that did not arrive once more later, until a day is over; answers whether it will. */
async function sendLater({ db }: Deps, due: Due): Promise<boolean> {
  const until = due.until ?? new Date(Date.now() + SEND_WITHIN_MS).toISOString();
  if (Date.now() >= Date.parse(until)) return false;
  await queueMessages(db, [{ ...due, until }], new Date(Date.now() + SEND_LATER_MS));
  return true;
}

/** The condition that the message of a job `j` was not given up, as `sendLater` does after a day. */
const isDue = sql<boolean>`coalesce((j.payload ->> 'until')::timestamptz,
  j.created_at + ${SEND_WITHIN_MS}::float8 * interval '1 millisecond') > now()`;

/** The jobs of this feature by name. A message that does not arrive is tried again, each way for itself. */
export const alertsTasks = (deps: Deps, links: AlertLinks): { alerts_watch: Task; alerts_send: LaneTask } => ({
  alerts_watch: () =>
    runSteps([
      () => watch(deps.db),
      () => watchCampaigns(deps.db, links),
      () => repeatLastTries(deps.db, 'alerts_send', isDue),
    ]),
  alerts_send: {
    // A mail server that is silent must not keep releases waiting.
    lane: 'letters',
    run: async (payload, _stopping, isLastTry) => {
      const due = Due.parse(payload);
      const letter = await deps.db.transaction().execute((trx) => compose(trx, links, due));
      if (!letter) return;
      const arrived = await send(deps, letter.setting, due, letter.message);
      if (arrived || (isLastTry && (await sendLater(deps, due)))) return;
      throw new Error(`the ${due.way} did not arrive`);
    },
  },
});
