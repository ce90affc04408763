import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AlertMessage, type AlertsBody, EMAIL_CODE, formatMac, OFFLINE_MINUTES } from '@ams/contract';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { changedMeanwhile } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { ALERT_LINKS } from '../features.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import { alertsTasks } from './alerts.service.ts';
import { watch } from './watch.ts';

/** A mail server that keeps what it is given. */
const letters: string[] = [];
const mailbox = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    const keep = async (): Promise<void> => void letters.push(await text(stream));
    void keep().finally(done);
  },
});
mailbox.listen(0, '127.0.0.1');
await once(mailbox.server, 'listening');

/** Somebody else's server that webhooks go to. */
const posts: { headers: IncomingHttpHeaders; body: string }[] = [];
let answers = 200;
const receiver = createServer((request, response) => {
  const keep = async (): Promise<void> => void posts.push({ headers: request.headers, body: await text(request) });
  void keep().finally(() => response.writeHead(answers).end());
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const hookUrl = `http://127.0.0.1:${portOf(receiver)}/hook`;

afterAll(() => {
  mailbox.close();
  receiver.close();
});

const server = await startTestServer({
  SMTP_URL: `smtp://127.0.0.1:${portOf(mailbox.server)}`,
  SMTP_FROM: 'alerts@example.com',
  AMS_WEBHOOKS: 'internal',
  PUBLIC_URL: 'https://ads.example.com',
});
const NOTHING = { email: null, webhook: null, offlineMinutes: null, expiringDays: null };

let dealer: Session;
let member: Session;

beforeEach(async () => {
  dealer = await server.createUser('leading');
  member = await server.createUser('member', dealer);
  letters.length = 0;
  posts.length = 0;
  answers = 200;
});

/** A device that was last seen so long ago. */
async function silentDevice(owner: Session, minutes: number): Promise<{ id: string; mac: string }> {
  const { device } = await pairedDevice(server, owner);
  await sql`update devices set last_seen_at = now() - make_interval(mins => ${minutes}) where id = ${device.id}`.execute(
    server.deps.db,
  );
  return device;
}

/** The code of the last letter. */
const codeIn = (letter = ''): string => /^[A-Z2-9]{8}\r?$/m.exec(letter)?.[0].trim() ?? '';

/** The text of a letter, which comes as quoted-printable (RFC 2045 §6.7). */
const letterIn = (letter = ''): string =>
  Buffer.from(
    letter
      .replaceAll('\r\n', '\n')
      .replace(/=\n/g, '')
      .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** Sets an address and confirms it by the code that comes there; the letter is forgotten. */
async function setEmail(calls: Session['calls'], body: AlertsBody): Promise<void> {
  dataOf(await calls.alerts.update({ body }));
  const { emailConfirmed } = dataOf(await calls.alerts.confirm({ body: { code: codeIn(letters.at(-1)) } }));
  expect(emailConfirmed).toBe(true);
  letters.length = 0;
}

const arrived = (count: number, list: unknown[]) =>
  vi.waitFor(() => expect(list).toHaveLength(count), { interval: 50 });

/** Notes that a person was told of a device, so that no other job does. */
const noteTold = (userId: string, deviceId: string) =>
  sql`
    insert into alerts_told (user_id, device_id, occasion)
    select ${userId}::uuid, ${deviceId}::uuid, o from unnest(array['offline', 'expiring']) o
    on conflict do nothing`.execute(server.deps.db);

/** Runs the job that sends a message, once. */
const sendNow = (due: object, isLastTry = false): Promise<void> =>
  alertsTasks(server.deps, ALERT_LINKS).alerts_send.run(due, server.deps.stopping, isLastTry);

describe('devices that are offline', () => {
  test('are listed in one e-mail, in the language of its recipient, once each', async () => {
    const calls = server.as(dealer.token, { 'accept-language': 'de' });
    await setEmail(calls, { ...NOTHING, email: 'dealer@example.com', offlineMinutes: 15 });
    const first = await silentDevice(member, 20);
    const second = await silentDevice(dealer, 60);
    await silentDevice(member, 5);
    await watch(server.deps.db);
    await arrived(1, letters);
    expect(letters[0]).toContain('Subject: =?UTF-8?Q?Ger=C3=A4te_offline=3A_2?=');
    expect(letters[0]).toContain('To: dealer@example.com');
    for (const { mac } of [first, second]) expect(letters[0]).toContain(mac.toUpperCase());
    expect(letters[0]).toContain('https://ads.example.com/mac?');

    await watch(server.deps.db);
    await silentDevice(member, 16);
    await watch(server.deps.db);
    await arrived(2, letters);
    expect(letters[1]).not.toContain(first.mac.toUpperCase());
  });

  test('take one line each in the e-mail, whatever their names hold', async () => {
    await setEmail(dealer.calls, { ...NOTHING, email: 'dealer@example.com', offlineMinutes: 15 });
    const { id, mac } = await silentDevice(member, 20);
    const name = 'Lobby\r\n\n\u2028Your account ends today:\u2029https://evil.example \u202e';
    dataOf(await member.calls.devices.update({ params: { id }, body: { name } }));
    await watch(server.deps.db);
    await arrived(1, letters);
    const letter = letterIn(letters[0]);
    expect(letter).not.toMatch(/[\u2028\u2029\u202e]/);
    expect(letter).toContain(`\n• Lobby Your account ends today: https://evil.example (${formatMac(mac)}) · `);
  });

  test('are not reported before they had the time to come back after a start of the server', async () => {
    dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
    await silentDevice(member, 60);
    const { db } = server.deps;
    const started = (ago: string) => sql`update server_processes set started_at = now() - ${ago}::interval`.execute(db);
    await started('1 minute');
    await watch(db);
    const { rows } = await sql`select from alerts_told where user_id = ${member.user.id}`.execute(db);
    await started('1 hour');
    expect(rows).toEqual([]);
    await watch(db);
    await arrived(1, posts);
  });

  test('are reported again when they came back and went offline again; not those of other people', async () => {
    dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
    const { id } = await silentDevice(member, 60);
    await silentDevice(dealer, 60);
    await watch(server.deps.db);
    await arrived(1, posts);
    for (const lease of [server.deps.processId, null]) {
      await sql`update devices set lease = ${lease} where id = ${id}`.execute(server.deps.db);
      await watch(server.deps.db);
    }
    await arrived(2, posts);
    for (const { body } of posts) expect(AlertMessage.parse(JSON.parse(body)).total).toBe(1);
  });

  test('are silent while they are dark on purpose, and the time of the alert is working time', async () => {
    dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
    const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    const every = (from: number, to: number) => {
      const day = [{ from: clock(from), to: clock(to) }];
      return { weekly: { 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day } };
    };
    const withHours = async (from: number, to: number, own = true) => {
      const { id } = await silentDevice(member, 300);
      const body = { timeZone: 'UTC', ...(own && { workingHours: every(from, to) }) };
      dataOf(await dealer.calls.devices.update({ params: { id }, body }));
      return id;
    };
    await withHours(60, 120);
    await withHours(-5, 60);
    const working = await withHours(-20, 60);
    await watch(server.deps.db);
    await arrived(1, posts);
    expect(AlertMessage.parse(JSON.parse(posts[0]?.body ?? ''))).toMatchObject({
      total: 1,
      devices: [{ id: working }],
    });
    const body = { workingHours: every(60, 120) };
    dataOf(await dealer.calls.users.changeWorkingHours({ params: { id: dealer.user.id }, body }));
    await withHours(0, 0, false);
    await watch(server.deps.db);
    expect(posts).toHaveLength(1);
  });

  test('are not reported while they are dark by hours that change just now', async () => {
    dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
    const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    const { id } = await silentDevice(member, 300);
    const workFrom = async (minutes: number) => {
      const day = [{ from: clock(minutes), to: clock(minutes + 60) }];
      const workingHours = { weekly: { 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day } };
      dataOf(await dealer.calls.devices.update({ params: { id }, body: { timeZone: 'UTC', workingHours } }));
    };
    await workFrom(60);
    // Once the hours of offline devices were read.
    await watch(
      changedMeanwhile(
        server.deps.db,
        () => workFrom(120),
        ([row]) => row !== undefined && 'hours' in row,
      ),
    );
    const { rows } = await sql`select from alerts_told where user_id = ${member.user.id}`.execute(server.deps.db);
    expect(rows).toEqual([]);
  });

  test('are reported after a week of working time, too, of hours that are shorter than that in two weeks', async () => {
    const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    const day = [{ from: clock(-180), to: clock(180) }];
    const workingHours = { weekly: { 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day }, exceptions: [] };
    const offlineMinutes = OFFLINE_MINUTES.max;
    dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes } }));
    // At six hours a day, a week of working time is four weeks.
    const days = (count: number): number => count * 24 * 60;
    const [late, early] = [await silentDevice(member, days(30)), await silentDevice(member, days(25))];
    for (const { id } of [late, early]) {
      dataOf(await dealer.calls.devices.update({ params: { id }, body: { timeZone: 'UTC', workingHours } }));
    }
    await watch(server.deps.db);
    await arrived(1, posts);
    const { devices } = AlertMessage.parse(JSON.parse(posts[0]?.body ?? ''));
    expect(devices.map(({ id }) => id)).toEqual([late.id]);
  });

  test('go to a webhook with a signature that its owner can check', async () => {
    const { secret } = dataOf(
      await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }),
    );
    const { id } = await silentDevice(member, 30);
    await watch(server.deps.db);
    await arrived(1, posts);
    const [{ headers, body } = { headers: {}, body: '' }] = posts;
    expect(AlertMessage.parse(JSON.parse(body))).toMatchObject({ type: 'offline', total: 1, devices: [{ id }] });
    const signed = createHmac('sha256', secret)
      .update(`${String(headers['x-ams-timestamp'])}.${body}`)
      .digest('hex');
    expect(headers['x-ams-signature']).toBe(signed);
  });
});

test('a message that is late is about the devices that still are as it says, by the settings of that moment', async () => {
  const settings = { ...NOTHING, webhook: hookUrl, offlineMinutes: 15, expiringDays: 7 };
  dataOf(await member.calls.alerts.update({ body: settings }));
  const away = await silentDevice(member, 60);
  const back = await silentDevice(member, 60);
  const expire = async (id: string, days: number) => {
    const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
    dataOf(await dealer.calls.devices.update({ params: { id }, body: { expiresAt } }));
  };
  await expire(away.id, 3);
  await expire(back.id, 60);
  await sql`update devices set lease = ${server.deps.processId} where id = ${back.id}`.execute(server.deps.db);
  for (const { id } of [away, back]) await noteTold(member.user.id, id);
  const sendAll = async () => {
    posts.length = 0;
    const deviceIds = [away.id, back.id];
    for (const occasion of ['offline', 'expiring']) {
      await sendNow({ userId: member.user.id, occasion, deviceIds, way: 'webhook' });
    }
    return posts.map(({ body }) => AlertMessage.parse(JSON.parse(body)).devices.map(({ id }) => id));
  };
  expect(await sendAll()).toEqual([[away.id], [away.id]]);
  // The next time it happens, people are told again.
  const { rows } = await sql`select device_id from alerts_told where user_id = ${member.user.id}`.execute(
    server.deps.db,
  );
  expect(rows).toEqual([{ device_id: away.id }, { device_id: away.id }]);
  dataOf(await member.calls.alerts.update({ body: { ...settings, offlineMinutes: null, expiringDays: null } }));
  expect(await sendAll()).toEqual([]);
});

test('a message outlasts a receiver that is away for longer than the tries of a job, for a day', async () => {
  const { deps } = server;
  const waiting = async () => {
    const { rows } = await sql<{ payload: { until: string }; seconds: number }>`
      select j.payload, extract(epoch from k.run_at - now()) as seconds
      from graphile_worker._private_jobs j join graphile_worker.jobs k on k.id = j.id
      where j.payload ->> 'userId' = ${member.user.id}`.execute(deps.db);
    return rows;
  };
  dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
  const { id } = await silentDevice(member, 60);
  await noteTold(member.user.id, id);
  const due = { userId: member.user.id, occasion: 'offline', deviceIds: [id], way: 'webhook' };
  answers = 503;
  await expect(sendNow(due)).rejects.toThrow('did not arrive');
  expect(await waiting()).toEqual([]);
  await sendNow(due, true);
  const [later] = await waiting();
  expect(later?.payload).toMatchObject(due);
  expect(Number(later?.seconds)).toBeGreaterThan(60);
  await expect(sendNow({ ...later?.payload, until: new Date().toISOString() }, true)).rejects.toThrow('did not arrive');
  answers = 200;
  posts.length = 0;
  await sql`select graphile_worker.reschedule_jobs(array(
    select id from graphile_worker._private_jobs where payload ->> 'userId' = ${member.user.id}), run_at => now())`.execute(
    deps.db,
  );
  await arrived(1, posts);
  expect(AlertMessage.parse(JSON.parse(posts[0]?.body ?? '')).devices).toMatchObject([{ id }]);
});

test('each message to a webhook has an id of its own, which a receiver knows it by when it comes again', async () => {
  dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
  const refused = posts.length + 1;
  answers = 503;
  await silentDevice(member, 60);
  await watch(server.deps.db);
  await vi.waitFor(() => expect(posts.length).toBeGreaterThanOrEqual(refused), { interval: 50 });
  answers = 200;
  const again = posts.length + 1;
  await vi.waitFor(() => expect(posts.length).toBeGreaterThanOrEqual(again), { interval: 50, timeout: 20_000 });
  const ids = () => posts.map(({ headers }) => headers['x-ams-id']);
  expect(z.uuid().parse(ids()[0])).toBe(ids().at(-1));
  expect(new Set(ids()).size).toBe(1);
  await silentDevice(member, 60);
  await watch(server.deps.db);
  await vi.waitFor(() => expect(new Set(ids()).size).toBe(2), { interval: 50 });
});

test('a message whose process died during its last try is sent by another one, unless it was given up', async () => {
  const { db } = server.deps;
  dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
  const { id } = await silentDevice(dealer, 20);
  await noteTold(dealer.user.id, id);
  const due = { userId: dealer.user.id, occasion: 'offline', deviceIds: [id], way: 'webhook' };
  const givenUp = { ...due, until: new Date(Date.now() - 1000).toISOString() };
  await db.transaction().execute(async (trx) => {
    await addJob(trx, 'alerts_send', due);
    await addJob(trx, 'alerts_send', givenUp);
    // As a killed process leaves them.
    await sql`
      update graphile_worker._private_jobs set attempts = max_attempts
      where payload ->> 'userId' = ${dealer.user.id}`.execute(trx);
  });
  await alertsTasks(server.deps, ALERT_LINKS).alerts_watch({}, server.deps.stopping, false);
  await arrived(1, posts);
  const left = async () => {
    const { rows } = await sql`
      select payload, attempts from graphile_worker._private_jobs
      where payload ->> 'userId' = ${dealer.user.id}`.execute(db);
    return rows;
  };
  await vi.waitFor(async () => expect(await left()).toEqual([{ payload: givenUp, attempts: 5 }]), { interval: 50 });
});

test('devices that expire soon are reported once, and again after they were extended and expire again', async () => {
  dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, expiringDays: 7 } }));
  const { device } = await pairedDevice(server, member);
  const expire = async (days: number) => {
    const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
    dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { expiresAt } }));
    await watch(server.deps.db);
  };
  await expire(20);
  await expire(3);
  await arrived(1, posts);
  await expire(2);
  await expire(60);
  await expire(4);
  await arrived(2, posts);
  expect(posts.map(({ body }) => AlertMessage.parse(JSON.parse(body)).type)).toEqual(['expiring', 'expiring']);
});

describe('an e-mail address', () => {
  const email = 'dealer@example.com';
  const confirm = (code: string) => dealer.calls.alerts.confirm({ body: { code } });
  const wrong = { code: 422, error: 'BAD_EMAIL_CODE' };

  test('gets no alert and no test before it is confirmed; afterwards the due ones', async () => {
    expect(dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email, offlineMinutes: 15 } }))).toMatchObject(
      {
        email,
        emailConfirmed: false,
      },
    );
    expect(letters).toHaveLength(1);
    const [letter = ''] = letters;
    expect(letter).toContain(`https://ads.example.com/alerts?code=3D${codeIn(letter)}`.slice(0, 30));
    await silentDevice(dealer, 60);
    await watch(server.deps.db);
    dataOf(await dealer.calls.alerts.test());
    const { rows } = await sql`select from alerts_told where user_id = ${dealer.user.id}`.execute(server.deps.db);
    expect(rows).toEqual([]);
    expect(letters).toHaveLength(1);
    expect(dataOf(await confirm(codeIn(letter).toLowerCase())).emailConfirmed).toBe(true);
    expect(await confirm(codeIn(letter))).toMatchObject(wrong);
    await watch(server.deps.db);
    await arrived(2, letters);
    const { items } = dataOf(await dealer.calls.users.listAudit({ query: { limit: 100 } }));
    expect(items.some(({ action, details }) => action === 'alerts.change' && details?.['confirmed'] === email)).toBe(
      true,
    );
  });

  test('is confirmed by its own code alone, within a few tries', async () => {
    dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email } }));
    const first = codeIn(letters[0]);
    expect(await member.calls.alerts.confirm({ body: { code: first } })).toMatchObject(wrong);
    dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email: 'other@example.com' } }));
    expect(await confirm(first)).toMatchObject(wrong);
    for (let n = 1; n < EMAIL_CODE.tries; n += 1) expect(await confirm('WRONG234')).toMatchObject(wrong);
    expect(await confirm(codeIn(letters[1]))).toMatchObject(wrong);
  });

  test('that is changed is to be confirmed anew', async () => {
    await setEmail(dealer.calls, { ...NOTHING, email });
    const changed = dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email: 'other@example.com' } }));
    expect(changed.emailConfirmed).toBe(false);
  });

  test('that takes the place of one that got nothing gets alerts of all that is due, once it is confirmed', async () => {
    await setEmail(dealer.calls, { ...NOTHING, email, offlineMinutes: 15 });
    const { id, mac } = await silentDevice(dealer, 60);
    await noteTold(dealer.user.id, id);
    dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email: 'other@example.com', offlineMinutes: 15 } }));
    // The message that waited for the mail server of the former address.
    await sendNow({ userId: dealer.user.id, occasion: 'offline', deviceIds: [id], way: 'email' }, true);
    await watch(server.deps.db);
    expect(letters).toHaveLength(1);
    dataOf(await confirm(codeIn(letters[0])));
    await watch(server.deps.db);
    await arrived(2, letters);
    expect(letters[1]).toContain('To: other@example.com');
    expect(letters[1]).toContain(mac.toUpperCase());
  });

  test('gets another code after a minute, and an account sends a few a day', async () => {
    dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email } }));
    expect(await dealer.calls.alerts.resendCode()).toMatchObject({ code: 429, error: 'TOO_MANY' });
    await sql`update email_codes set sent_at = sent_at - interval '1 minute'`.execute(server.deps.db);
    dataOf(await dealer.calls.alerts.resendCode());
    expect(await confirm(codeIn(letters[0]))).toMatchObject(wrong);
    for (let n = 0; n < EMAIL_CODE.perDay * 2; n += 1) {
      dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email: `victim${n}@example.com` } }));
    }
    expect(letters).toHaveLength(EMAIL_CODE.perDay);
  });
});

describe('the settings', () => {
  test('report why a message did not arrive, and when messages arrive again', async () => {
    dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl } }));
    answers = 500;
    expect(dataOf(await member.calls.alerts.test()).trouble).toEqual({ email: null, webhook: 'HTTP 500' });
    answers = 204;
    expect(dataOf(await member.calls.alerts.test()).trouble).toEqual({ email: null, webhook: null });
  });

  test('report nothing about an address that was replaced while a message was on its way to it', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const former = createServer((_request, response) => asked.resolve(response)).listen(0, '127.0.0.1');
    await once(former, 'listening');
    onTestFinished(() => void former.close());
    const settings = { ...NOTHING, offlineMinutes: 15 };
    const set = async (webhook: string) =>
      dataOf(await member.calls.alerts.update({ body: { ...settings, webhook } })).trouble;
    await set(`http://127.0.0.1:${portOf(former)}/`);
    const { id } = await silentDevice(member, 60);
    await noteTold(member.user.id, id);
    const sending = sendNow({ userId: member.user.id, occasion: 'offline', deviceIds: [id], way: 'webhook' });
    const response = await asked.promise;
    expect(await set(hookUrl)).toEqual({ email: null, webhook: null });
    response.writeHead(500).end();
    await expect(sending).rejects.toThrow('did not arrive');
    expect(dataOf(await member.calls.alerts.get()).trouble).toEqual({ email: null, webhook: null });
  });

  test('refuse what cannot be', async () => {
    for (const wrong of [
      { email: 'nobody' },
      { webhook: 'ftp://a.example/' },
      { offlineMinutes: 1 },
      { expiringDays: 0.5 },
    ]) {
      expect(await member.calls.alerts.update({ body: { ...NOTHING, ...wrong } })).toMatchObject({
        code: 400,
        details: { fields: [{ path: Object.keys(wrong)[0] }] },
      });
    }
  });

  test('are one’s own', async () => {
    dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, email: 'dealer@example.com' } }));
    expect(dataOf(await member.calls.alerts.get()).email).toBeNull();
  });
});

test('a webhook does not reach into the network unless the installation allows it', async () => {
  const closed = await startTestServer();
  const admin = await closed.login();
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '169.254.169.254']) {
    const webhook = `http://${host}:${portOf(receiver)}/`;
    dataOf(await admin.calls.alerts.update({ body: { ...NOTHING, webhook } }));
    const { trouble } = dataOf(await admin.calls.alerts.test());
    expect([host, trouble.webhook]).toEqual([host, expect.stringContaining('inside the network')]);
  }
  expect(posts).toEqual([]);
});

test('an unpaired device was never online and causes no alert', async () => {
  dataOf(await dealer.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 2 } }));
  dataOf(await dealer.calls.devices.create({ body: { mac: makeDevice(server).mac } }));
  await watch(server.deps.db);
  const { rows } = await sql`select from alerts_told where user_id = ${dealer.user.id}`.execute(server.deps.db);
  expect(rows).toEqual([]);
});

test('a device that was paired and never connected since causes an alert', async () => {
  dataOf(await member.calls.alerts.update({ body: { ...NOTHING, webhook: hookUrl, offlineMinutes: 15 } }));
  const { device } = await pairedDevice(server, member);
  const pairedAgo = (minutes: number) =>
    sql`update devices set paired_at = now() - make_interval(mins => ${minutes}) where id = ${device.id}`.execute(
      server.deps.db,
    );
  await pairedAgo(10);
  await watch(server.deps.db);
  const { rows } = await sql`select from alerts_told where user_id = ${member.user.id}`.execute(server.deps.db);
  expect(rows).toEqual([]);
  await pairedAgo(20);
  await watch(server.deps.db);
  await arrived(1, posts);
  expect(AlertMessage.parse(JSON.parse(posts[0]?.body ?? ''))).toMatchObject({
    type: 'offline',
    devices: [{ id: device.id, lastSeenAt: null }],
  });
});

test('alert settings that are left out stay as they are', async () => {
  const { calls } = await server.createUser('leading');
  const { id } = dataOf(await calls.groups.create({ body: { name: 'Nice', filter: {} } }));
  const settings = { email: null, webhook: hookUrl, offlineMinutes: 15, expiringDays: 7 };
  dataOf(await calls.alerts.update({ body: { ...settings, group: id } }));
  const changed = { ...settings, offlineMinutes: 20, group: { id, name: 'Nice' } };
  expect(dataOf(await calls.alerts.update({ body: { offlineMinutes: 20 } }))).toMatchObject(changed);
  expect(dataOf(await calls.alerts.update({ body: { webhook: null } }))).toMatchObject({ ...changed, webhook: null });
  const [line] = dataOf(await calls.users.listAudit()).items;
  expect(line).toMatchObject({ action: 'alerts.change', details: { webhook: null } });
});

test('alerts limited to a group are about its devices only, and the group cannot be deleted meanwhile', async () => {
  const { calls } = dealer;
  const inside = await silentDevice(member, 20);
  dataOf(await calls.devices.update({ params: { id: inside.id }, body: { tags: ['lyon'] } }));
  await silentDevice(member, 20);
  const body = { name: 'Lyon', filter: { tags: { all: ['lyon'] } } };
  const { id } = dataOf(await calls.groups.create({ body }));
  const settings = { ...NOTHING, webhook: hookUrl, offlineMinutes: 15, group: id };
  expect(dataOf(await calls.alerts.update({ body: settings }))).toMatchObject({ group: { id, name: 'Lyon' } });
  await watch(server.deps.db);
  await arrived(1, posts);
  expect(AlertMessage.parse(JSON.parse(posts[0]?.body ?? '')).devices.map((device) => device.id)).toEqual([inside.id]);
  expect(await calls.groups.delete({ params: { id } })).toMatchObject({
    error: 'GROUP_IN_USE',
    details: { releases: [], alerts: [dealer.user.username] },
  });
  const stranger = await server.createUser('leading');
  expect(await stranger.calls.alerts.update({ body: settings })).toMatchObject({ error: 'NOT_FOUND' });
  expect(dataOf(await calls.alerts.update({ body: { ...settings, group: null } })).group).toBeNull();
  expect(dataOf(await calls.groups.delete({ params: { id } }))).toBeNull();
  await watch(server.deps.db);
  await arrived(2, posts);
});

test('alerts limited to a group that is deleted with its owner are about nothing until other devices are chosen', async () => {
  const { calls } = dealer;
  const below = await server.createUser('leading', dealer);
  const inside = await silentDevice(below, 20);
  const { id } = dataOf(await below.calls.groups.create({ body: { name: 'Below', filter: {} } }));
  const settings = { ...NOTHING, webhook: hookUrl, offlineMinutes: 15, group: id };
  dataOf(await calls.alerts.update({ body: settings }));
  dataOf(await dealer.calls.users.delete({ params: { id: below.user.id } }));
  await silentDevice(member, 20);
  const lost = { id, name: null };
  expect(dataOf(await calls.alerts.get()).group).toEqual(lost);
  // A change of other settings chooses no devices either.
  expect(dataOf(await calls.alerts.update({ body: { ...settings, expiringDays: 7 } })).group).toEqual(lost);
  await watch(server.deps.db);
  const { rows } = await sql`select from alerts_told where user_id = ${dealer.user.id}`.execute(server.deps.db);
  expect(rows).toEqual([]);
  const stranger = await server.createUser('leading');
  expect(await stranger.calls.alerts.update({ body: settings })).toMatchObject({ error: 'NOT_FOUND' });
  expect(dataOf(await calls.alerts.update({ body: { ...settings, group: null } })).group).toBeNull();
  await watch(server.deps.db);
  await arrived(1, posts);
  const told = AlertMessage.parse(JSON.parse(posts[0]?.body ?? '')).devices.map((device) => device.id);
  expect(told).toContain(inside.id);
});
