import { ALERT_NAMES_MAX, type AlertMessage, formatMac, type Language } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import { sql } from 'kysely';
import { type Db, iso } from '../platform/database/database.ts';
import { messagesFor } from '../platform/http/messages.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Due } from './watch.ts';

/** A message about those of the devices that the reader has in scope, longest silent or first to expire at the top. */
export async function messageAbout(db: Db, reader: Scoped, { occasion, deviceIds }: Due): Promise<AlertMessage> {
  const { rows } = await sql<AlertMessage['devices'][number] & { total: number }>`
    select count(*) over () as total, d.id, d.mac, d.name, u.username as owner, ${iso(sql`d.last_seen_at`)} as "lastSeenAt",
      d.expires_on as "expiresAt"
    from devices d join users u on u.id = d.owner_id
    where d.id = any(${deviceIds}) and ${inScope(reader, sql`d.owner_id`)}
    order by ${occasion === 'expiring' ? sql`d.expires_at` : sql`d.last_seen_at`}, d.id
    limit ${ALERT_NAMES_MAX}`.execute(db);
  const devices = rows.map(({ total: _, ...device }) => device);
  return { type: occasion, at: new Date().toISOString(), total: rows[0]?.total ?? 0, devices };
}

export const testMessage = (): AlertMessage => ({ type: 'test', at: new Date().toISOString(), total: 0, devices: [] });

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
  expiringDays: number | null;
  /** The group that the alerts are limited to. */
  groupId: string | null;
  /** Address of the web app, if known. */
  webAddress: string | undefined;
}

/** The same message as an e-mail in the reader's language. */
export function letterOf(message: AlertMessage, reader: Recipient): Letter {
  const words = messagesFor(reader.language).alerts;
  const fill = (text: string): string =>
    fillMessage(text, { count: message.total, minutes: reader.offlineMinutes, days: reader.expiringDays });
  const { subject, body } = {
    offline: { subject: words.offlineSubject, body: words.offlineBody },
    expiring: { subject: words.expiringSubject, body: words.expiringBody },
    replaced: { subject: words.replacedSubject, body: words.replacedBody },
    test: { subject: words.testSubject, body: words.testBody },
  }[message.type];
  const more = message.total - message.devices.length;
  const group = reader.groupId === null ? '' : `&group=${reader.groupId}`;
  const address = {
    offline: `/mac?online=false${group}`,
    expiring: `/mac?expiry=expiring${group}`,
    replaced: `/mac/${message.devices[0]?.id ?? ''}`,
    test: '/alerts',
  }[message.type];
  const lines = [
    fill(body),
    '',
    ...message.devices.map((device) => `• ${lineOf(device, message.type, words)}`),
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
  const title = name ? `${name} (${formatMac(mac)})` : formatMac(mac);
  if (type === 'replaced') return `${title} · ${owner}`;
  const fact =
    type === 'offline'
      ? fillMessage(words.lastSeen, { at: lastSeenAt?.replace('T', ' ').replace(/:\d\d\.\d+Z$/, ' UTC') ?? '–' })
      : fillMessage(words.expires, { date: expiresAt ?? '–' });
  return `${title} · ${owner} · ${fact}`;
}
