import { ALERT_NAMES_MAX, type AlertMessage, formatMac, type Language } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import { sql } from 'kysely';
import { type Db, iso } from '../platform/database/database.ts';
import { messagesFor } from '../platform/http/messages.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { AlertLinks } from './links.ts';
import { type Due, type DueCampaigns, type DueDevices, forgetOver, silentSince, stillHolds } from './watch.ts';

/** The message to somebody about what they have in scope. */
export const messageAbout = (db: Db, links: AlertLinks, reader: Scoped, due: Due): Promise<AlertMessage> =>
  due.occasion === 'short' ? messageAboutCampaigns(db, links, reader, due) : messageAboutDevices(db, reader, due);

/** A message about those of the campaigns that are still short, those with the most missing plays at the top. */
async function messageAboutCampaigns(
  db: Db,
  { shortCampaigns }: AlertLinks,
  reader: Scoped,
  { campaignIds }: DueCampaigns,
): Promise<AlertMessage> {
  const { rows } = await sql<AlertMessage['campaigns'][number] & { total: number }>`
    select count(*) over () as total, c.id, c.name, u.username as customer, c.ordered, c.short
    from (${shortCampaigns}) c join users u on u.id = c.customer_id
    where c.id = any(${campaignIds}) and ${inScope(reader, sql`c.customer_id`)}
    order by c.short desc, c.id limit ${ALERT_NAMES_MAX}`.execute(db);
  const campaigns = rows.map(({ total: _, ...campaign }) => campaign);
  return { type: 'short', at: new Date().toISOString(), total: rows[0]?.total ?? 0, devices: [], campaigns };
}

/**
 * A message about those of the devices that the reader has in scope and of which it is still true, longest silent or first
 * to expire at the top.
 */
async function messageAboutDevices(db: Db, reader: Scoped, { occasion, deviceIds }: DueDevices): Promise<AlertMessage> {
  const isAmong = sql<boolean>`(t.user_id = ${reader.id} and t.device_id = any(${deviceIds}))`;
  if (occasion !== 'replaced') await forgetOver(db, occasion, isAmong);
  const { rows } = await sql<AlertMessage['devices'][number] & { total: number }>`
    select count(*) over () as total, d.id, d.mac, d.name, u.username as owner, ${iso(sql`d.last_seen_at`)} as "lastSeenAt",
      d.expires_on as "expiresAt"
    from devices_now d join users u on u.id = d.owner_id join alerts a on a.user_id = ${reader.id}
    where d.id = any(${deviceIds}) and ${inScope(reader, sql`d.owner_id`)} and ${stillHolds(occasion)}
    order by ${occasion === 'expiring' ? sql`d.expires_at` : silentSince}, d.id
    limit ${ALERT_NAMES_MAX}`.execute(db);
  const devices = rows.map(({ total: _, ...device }) => device);
  return { type: occasion, at: new Date().toISOString(), total: rows[0]?.total ?? 0, devices, campaigns: [] };
}

export const testMessage = (): AlertMessage => ({
  type: 'test',
  at: new Date().toISOString(),
  total: 0,
  devices: [],
  campaigns: [],
});

export interface Letter {
  subject: string;
  text: string;
}

/** The letter that asks whether alerts may come to an address. */
export function confirmationLetter(code: string, reader: Pick<Recipient, 'language' | 'webAddress'>): Letter {
  const words = messagesFor(reader.language).alerts;
  const link = reader.webAddress ? [`${reader.webAddress}/alerts?code=${code}`, ''] : [];
  const lines = [words.confirmBody, '', code, '', ...link, words.confirmIgnore];
  return { subject: words.confirmSubject, text: `${lines.join('\n')}\n` };
}

interface Recipient {
  language: Language;
  offlineMinutes: number | null;
  /** The group that the alerts are limited to. */
  groupId: string | null;
  /** Address of the web app, if known. */
  webAddress: string | undefined;
}

/** The same message as an e-mail in the reader's language. */
export function letterOf(message: AlertMessage, reader: Recipient): Letter {
  const words = messagesFor(reader.language).alerts;
  const fill = (text: string): string => fillMessage(text, { count: message.total, minutes: reader.offlineMinutes });
  const { subject, body } = {
    offline: { subject: words.offlineSubject, body: words.offlineBody },
    expiring: { subject: words.expiringSubject, body: words.expiringBody },
    replaced: { subject: words.replacedSubject, body: words.replacedBody },
    short: { subject: words.shortSubject, body: words.shortBody },
    test: { subject: words.testSubject, body: words.testBody },
  }[message.type];
  const more = message.total - message.devices.length - message.campaigns.length;
  const group = reader.groupId === null ? '' : `&group=${reader.groupId}`;
  const address = {
    offline: `/mac?online=false${group}`,
    expiring: `/mac?expiry=expiring${group}`,
    replaced: `/mac/${message.devices[0]?.id ?? ''}`,
    short: '/campaigns?short=true',
    test: '/alerts',
  }[message.type];
  const lines = [
    fill(body),
    '',
    ...message.devices.map((device) => `• ${lineOf(device, message.type, words)}`),
    ...message.campaigns.map(({ name, customer, short, ordered }) => {
      const missing = fillMessage(words.shortLine, { plays: short, ordered });
      return `• ${inOrder((fact) => `${fact(name)} · ${fact(customer)} · ${missing}`)}`;
    }),
    ...(more > 0 ? [fillMessage(words.more, { count: more })] : []),
    ...(reader.webAddress ? ['', reader.webAddress + address] : []),
  ];
  return { subject: fill(subject), text: `${lines.join('\n')}\n` };
}

function lineOf(
  { mac, name, owner, lastSeenAt, expiresAt }: AlertMessage['devices'][number],
  type: AlertMessage['type'],
  words: { lastSeen: string; expires: string },
): string {
  const at = lastSeenAt?.replace('T', ' ').replace(/:\d\d\.\d+Z$/, ' UTC') ?? '–';
  return inOrder((fact) => {
    const label = fact(formatMac(mac));
    const about = `${name ? `${fact(name)} (${label})` : label} · ${fact(owner)}`;
    if (type === 'replaced') return about;
    const state =
      type === 'offline'
        ? fillMessage(words.lastSeen, { at: fact(at) })
        : fillMessage(words.expires, { date: fact(expiresAt ?? '–') });
    return `${about} · ${state}`;
  });
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Line breaks, other controls and signs that turn the direction of a text: names in lower accounts may hold them. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const onOneLine = (text: string): string => text.replace(CONTROLS, ' ').replace(/ +/g, ' ').trim();

/** A line of facts. Where some of it runs from right to left, each fact is between Unicode's isolates and moves no other. */
function inOrder(line: (fact: (text: string) => string) => string): string {
  const plain = line(onOneLine);
  return RIGHT_TO_LEFT.test(plain) ? line((text) => `\u2068${onOneLine(text)}\u2069`) : plain;
}
