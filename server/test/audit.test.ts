import { addDays, type CampaignBody, type Envelope, type Route, routes, utcDate } from '@ams/contract';
import { generate } from 'otplib';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from './ads.ts';
import { addApp, makeApk } from './apk.ts';
import { addColleague } from './colleague.ts';
import { makeDevice, pairedDevice } from './device.ts';
import { addFile, makeMp4 } from './media.ts';
import { ADMIN, dataOf, type Session, startTestServer } from './server.ts';

/** Every call of the contract that changes something leaves a line in the audit, or is here with the reason why not. */
const server = await startTestServer();

const SILENT: Record<string, string> = {
  'session.logout': 'ends only the caller’s own session; the log has it',
  'session.beginSecondFactor': 'changes nothing before a code confirms it',
  'home.summary': 'reads',
  'alerts.confirm': 'wants a code by e-mail; alerts.test.ts looks at its entry',
  'alerts.resendCode': 'changes nothing; the message itself arrives',
  'alerts.test': 'changes nothing; the message itself arrives',
  'campaigns.availability': 'reads',
  'devices.previewPair': 'reads',
  'devices.exportChosen': 'reads',
  'devices.requestScreenshot': 'changes nothing; the picture is shown with its time',
};

const newGroup = async (): Promise<string> =>
  dataOf(await boss.calls.groups.create({ body: { name: 'All', filter: {} } })).id;

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const takeover = async () => ({ adId: await ad(), devices: { ids: [await device()] } });

type Act = () => Promise<Envelope<unknown>>;
/** Does it once with input that goes through. */
const ACTS: Record<string, Act> = {
  'session.confirmSecondFactor': async () => {
    const person = await server.createUser('member', boss);
    const { token: challenge, setup } = dataOf(
      await person.calls.session.beginSecondFactor({ body: { password: ADMIN.password } }),
    );
    const code = await generate({ secret: setup?.secret ?? '' });
    return person.calls.session.confirmSecondFactor({ body: { challenge, code } });
  },
  'session.endSecondFactor': async () =>
    (await server.createUser('member', boss)).calls.session.endSecondFactor({ body: { password: ADMIN.password } }),
  'users.create': () =>
    boss.calls.users.create({ body: { username: 'audited1', password: ADMIN.password, role: 'member' } }),
  'users.update': () => boss.calls.users.update({ params: { id: member.user.id }, body: { phone: '12345678' } }),
  'users.changePhone': () =>
    member.calls.users.changePhone({ params: { id: member.user.id }, body: { phone: '12345678' } }),
  'users.changeWorkingHours': () =>
    member.calls.users.changeWorkingHours({
      params: { id: member.user.id },
      body: { workingHours: { weekly: { 1: [{ from: '08:00', to: '18:00' }] } } },
    }),
  'users.changePassword': () =>
    boss.calls.users.changePassword({
      params: { id: member.user.id },
      body: { password: ADMIN.password, confirm: ADMIN.password },
    }),
  'users.resetSecondFactor': async () =>
    boss.calls.users.resetSecondFactor({ params: { id: (await server.createUser('member', boss)).user.id } }),
  'users.delete': async () =>
    boss.calls.users.delete({ params: { id: (await server.createUser('member', boss)).user.id } }),
  'users.createInvitations': () => boss.calls.users.createInvitations({ body: {} }),
  'users.revokeInvitation': async () => {
    const { items } = dataOf(await boss.calls.users.createInvitations({ body: {} }));
    return boss.calls.users.revokeInvitation({ params: { code: items[0]?.code ?? '' } });
  },
  'colleagues.invite': () => boss.calls.colleagues.invite({ body: { name: 'Anna', access: 'operator' } }),
  'colleagues.revoke': async () => {
    const { code } = dataOf(await boss.calls.colleagues.invite({ body: { name: 'Anna', access: 'operator' } }));
    return boss.calls.colleagues.revoke({ params: { code } });
  },
  'colleagues.update': async () =>
    boss.calls.colleagues.update({
      params: { id: (await addColleague(server, boss, 'operator')).id },
      body: { access: 'readOnly' },
    }),
  'colleagues.delete': async () =>
    boss.calls.colleagues.delete({ params: { id: (await addColleague(server, boss, 'operator')).id } }),
  'alerts.update': () =>
    boss.calls.alerts.update({
      body: { email: null, webhook: 'https://hook.invalid/key', offlineMinutes: 5, expiringDays: null },
    }),
  'devices.create': () => boss.calls.devices.create({ body: { mac: '02:00:00:00:0a:01' } }),
  'devices.pair': async () => {
    const device = makeDevice(server);
    const { code } = await device.enrol();
    return boss.calls.devices.pair({ body: { mac: device.mac, code } });
  },
  'devices.import': async () => {
    const reply = await fetch(`${server.url}/api/devices/import`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${boss.token}`, 'content-type': 'text/csv' },
      body: 'mac,name\n02:00:00:00:0a:02,imported\n',
    });
    return (await reply.json()) as Envelope<unknown>;
  },
  'batches.undo': async () => {
    const body = { ids: [await device()], action: 'expire' as const, date: '2099-01-01' };
    const { undo = '' } = dataOf(await boss.calls.batches.start({ body }));
    return boss.calls.batches.undo({ body: { undo } });
  },
  'devices.update': async () => boss.calls.devices.update({ params: { id: await device() }, body: { name: 'x' } }),
  'devices.delete': async () => boss.calls.devices.delete({ params: { id: await device() } }),
  'devices.clear': async () => boss.calls.devices.clear({ params: { id: await device() } }),
  'batches.start': async () => boss.calls.batches.start({ body: { ids: [await device()], action: 'restart' } }),
  'files.update': async () => boss.calls.files.update({ params: { id: await file() }, body: { name: 'y.mp4' } }),
  'files.delete': async () => boss.calls.files.delete({ params: { id: await file() } }),
  'files.deleteMany': async () => boss.calls.files.deleteMany({ body: { ids: [await file()] } }),
  'ads.create': async () => boss.calls.ads.create({ body: await content() }),
  'ads.update': async () => {
    const made = dataOf(await boss.calls.ads.create({ body: await content() }));
    return boss.calls.ads.update({
      params: { id: made.id },
      body: { ...(await content()), updatedAt: made.updatedAt },
    });
  },
  'ads.delete': async () => boss.calls.ads.delete({ params: { id: await ad() } }),
  'ads.copy': async () => boss.calls.ads.copy({ params: { id: await ad() }, body: { name: 'copy' } }),
  'ads.updateDevices': async () => {
    const body = { ...(await content()), name: 'before' };
    const { id } = dataOf(await boss.calls.ads.create({ body }));
    dataOf(await boss.calls.ads.release({ params: { id }, body: { devices: { ids: [await device()] } } }));
    const { updatedAt } = dataOf(await boss.calls.ads.get({ params: { id } }));
    dataOf(await boss.calls.ads.update({ params: { id }, body: { ...body, name: 'after', updatedAt } }));
    return boss.calls.ads.updateDevices({ params: { id }, body: {} });
  },
  'ads.changeDefaultContent': async () =>
    boss.calls.ads.changeDefaultContent({
      params: { id: boss.user.id },
      body: { orientation: 'vertical', adId: await ad() },
    }),
  'ads.release': async () =>
    boss.calls.ads.release({ params: { id: await ad() }, body: { devices: { ids: [await device()] } } }),
  'ads.approve': async () => boss.calls.ads.approve({ params: { id: await waiting() } }),
  'releases.reject': async () =>
    boss.calls.releases.reject({ params: { id: await waiting() }, body: { remark: 'Too loud' } }),
  'groups.create': () => boss.calls.groups.create({ body: { name: 'All', filter: {} } }),
  'groups.update': async () =>
    boss.calls.groups.update({ params: { id: await newGroup() }, body: { filter: { orientation: 'vertical' } } }),
  'groups.delete': async () => boss.calls.groups.delete({ params: { id: await newGroup() } }),
  'campaigns.create': async () => boss.calls.campaigns.create({ body: await campaignBody() }),
  'campaigns.update': async () =>
    boss.calls.campaigns.update({ params: { id: await campaign() }, body: await campaignBody() }),
  'campaigns.delete': async () => boss.calls.campaigns.delete({ params: { id: await campaign() } }),
  'campaigns.request': async () => boss.calls.campaigns.request({ params: { id: await campaign() } }),
  'campaigns.approve': async () => boss.calls.campaigns.approve({ params: { id: await requested() } }),
  'campaigns.reject': async () =>
    boss.calls.campaigns.reject({ params: { id: await requested() }, body: { remark: 'Too loud' } }),
  'campaigns.book': async () => boss.calls.campaigns.book({ params: { id: await campaign() } }),
  'campaigns.cancel': async () => boss.calls.campaigns.cancel({ params: { id: await requested() } }),
  'campaigns.share': async () => {
    const id = await campaign();
    dataOf(await boss.calls.campaigns.book({ params: { id } }));
    return boss.calls.campaigns.share({ params: { id } });
  },
  'campaigns.updateSettings': () => boss.calls.campaigns.updateSettings({ body: { sellable: 70 } }),
  'shares.create': () => boss.calls.shares.create({ body: SHARED }),
  'shares.revoke': async () =>
    boss.calls.shares.revoke({ params: { id: dataOf(await boss.calls.shares.create({ body: SHARED })).id } }),
  'takeovers.create': async () => boss.calls.takeovers.create({ body: { ...(await takeover()), until: inAnHour() } }),
  'takeovers.start': async () => {
    const { id } = dataOf(await boss.calls.takeovers.create({ body: { ...(await takeover()), prepare: true } }));
    return boss.calls.takeovers.start({ params: { id }, body: { until: inAnHour() } });
  },
  'takeovers.end': async () => {
    const { id } = dataOf(await boss.calls.takeovers.create({ body: { ...(await takeover()), prepare: true } }));
    return boss.calls.takeovers.end({ params: { id } });
  },
  'releases.withdraw': async () => boss.calls.releases.withdraw({ params: { id: (await release()).id } }),
  'releases.restore': async () => {
    const { id } = await release();
    dataOf(await boss.calls.releases.withdraw({ params: { id } }));
    return boss.calls.releases.restore({ params: { id } });
  },
  'releases.pause': async () => boss.calls.releases.pause({ params: { id: (await release()).id } }),
  'releases.resume': async () => {
    const { id } = await release();
    dataOf(await boss.calls.releases.pause({ params: { id } }));
    return boss.calls.releases.resume({ params: { id }, body: { stage: 0 } });
  },
  'releases.retry': async () => {
    const { id, devices } = await release();
    const failed = { state: 'failed' as const, doneBytes: 0, totalBytes: 0, reason: 'diskFull' };
    for (const device of devices) {
      const { version } = await device.manifest();
      dataOf(await device.calls.player.status({ body: { manifestVersion: version, download: failed } }));
    }
    return boss.calls.releases.retry({ params: { id }, body: {} });
  },
  'apps.update': async () => boss.calls.apps.update({ params: { id: app }, body: { content: 'newer' } }),
  'apps.delete': async () => boss.calls.apps.delete({ params: { id: app } }),
};

const SHARED = { subject: { kind: 'report' as const, report: { days: 7 } } };

let boss: Session;
let member: Session;
let app: string;
let video: Buffer;

const device = async () => (await pairedDevice(server, boss)).device.id;
const file = async () => (await addFile(server, boss, video, { name: 'a.mp4', orientation: 'vertical', kind: 2 })).id;
const content = async () => ({
  name: 'ad',
  orientation: 'vertical' as const,
  split: 'full' as const,
  regions: { full: [{ kind: 'file' as const, fileId: await file() }] },
});
const ad = async () => dataOf(await boss.calls.ads.create({ body: await content() })).id;

const campaignBody = async (): Promise<CampaignBody> => ({
  name: 'Autumn',
  adIds: [await ad()],
  devices: { ids: [await device()] },
  schedule: { from: addDays(utcDate(Date.now()), 1), to: addDays(utcDate(Date.now()), 20) },
  goal: { kind: 'perHour', value: 6 },
  price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
});
const campaign = async () => dataOf(await boss.calls.campaigns.create({ body: await campaignBody() })).id;
const requested = async () => dataOf(await boss.calls.campaigns.request({ params: { id: await campaign() } })).id;

/** A release that a customer requested. */
async function waiting(): Promise<string> {
  const customer = await server.createUser('member', boss);
  dataOf(await boss.calls.users.update({ params: { id: customer.user.id }, body: { releasesNeedApproval: true } }));
  const wishes = { name: 'a.mp4', orientation: 'vertical', kind: 2 };
  const own = await addAd(customer, 'ad', (await addFile(server, customer, video, wishes)).id);
  const { device: paired } = await pairedDevice(server, customer);
  const body = { devices: { ids: [paired.id] } };
  return dataOf(await customer.calls.ads.release({ params: { id: own.id }, body })).id;
}

/** A release in two steps. */
async function release() {
  const devices = [await pairedDevice(server, boss), await pairedDevice(server, boss)];
  const ids = devices.map((paired) => paired.device.id);
  const stages = [{ percent: 50 }, { percent: 100 }];
  const { id } = dataOf(
    await boss.calls.ads.release({ params: { id: await ad() }, body: { devices: { ids }, stages } }),
  );
  return { id, devices };
}

beforeAll(async () => {
  video = await makeMp4();
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
  app = (await addApp(server, boss, await makeApk(1))).id;
});

const CHANGING = Object.entries(routes).flatMap(([feature, table]) =>
  Object.entries(table).flatMap(([name, route]: [string, Route]) =>
    route.method !== 'GET' && ['user', 'leading'].includes(route.access) ? [`${feature}.${name}`] : [],
  ),
);

test('every call that changes something is tested here or is listed with the reason for leaving no entry', () => {
  expect([...Object.keys(ACTS), ...Object.keys(SILENT)].toSorted()).toEqual(CHANGING.toSorted());
});

/** Audit entries in the scope of `boss`, newest first. */
const newest = async () => dataOf(await boss.calls.users.listAudit({ query: { limit: 1 } }));

test.each(Object.keys(ACTS))('%s leaves a line', async (name) => {
  const before = Date.now();
  dataOf((await ACTS[name]?.()) ?? { code: 0, error: 'nothing', message: '' });
  const [line] = (await newest()).items;
  expect(Date.parse(line?.at ?? '')).toBeGreaterThanOrEqual(before - 1000);
  const [feature = ''] = name.split('.');
  const told: Record<string, string> = { session: 'users', batches: 'devices' };
  const special: Record<string, string> = { 'campaigns.share': 'shares' };
  const action = /^users\..*Invitation/.test(name) ? 'invitations' : (special[name] ?? told[feature] ?? feature);
  const isRelease = ['ads.release', 'ads.approve'].includes(name);
  expect(line?.action).toMatch(new RegExp(`^${isRelease ? '(ads|releases)' : action}\\.`));
});

test('self-registration is recorded as well', async () => {
  const made = await server.as().session.selfRegister({
    body: { username: 'byoneself', password: ADMIN.password, confirm: ADMIN.password },
  });
  dataOf(made);
  const { items } = dataOf(await (await server.login()).calls.users.listAudit({ query: { limit: 1 } }));
  expect(items[0]).toMatchObject({ action: 'users.register', actorName: 'byoneself' });
});

test('the webhook address is returned without its key', async () => {
  await boss.calls.alerts.update({
    body: { email: null, webhook: 'https://hook.invalid/secret-key', offlineMinutes: 5, expiringDays: null },
  });
  const [line] = (await newest()).items;
  expect(line).toMatchObject({ action: 'alerts.change', details: { webhook: 'https://hook.invalid' } });
  expect(JSON.stringify(line)).not.toContain('secret-key');
});
