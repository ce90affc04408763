import {
  type Access,
  addDays,
  type CampaignBody,
  isReading,
  peopleOf,
  type Route,
  routes,
  utcDate,
} from '@ams/contract';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from './ads.ts';
import { addApp, makeApk } from './apk.ts';
import { addColleague, type ColleagueSession } from './colleague.ts';
import { addFile, makeMp4 } from './media.ts';
import { pairedDevice } from './device.ts';
import { dataOf, type Session, startTestServer } from './server.ts';

/**
 * Runs every route of the contract as everybody and compares with the access written in the contract.
 * A route that is added without its row fails.
 */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });

interface Row {
  /** Path with the ids of a thing that belongs to a member below `boss`. */
  url: (own: Own) => string;
  body?: (own: Own) => unknown;
  /** Whether the thing named in the path or body lies in somebody's scope: strangers get 404. */
  scoped?: boolean;
}

interface Own {
  user: string;
  device: string;
  file: string;
  ad: string;
  release: string;
  takeover: string;
  group: string;
  campaign: string;
  requested: string;
  requestedRelease: string;
  share: string;
  updatedAt: string;
  code: string;
  batch: string;
  colleague: string;
}

const MISSING = '01900000-0000-7000-8000-000000000000';
const campaignBody = (own: Pick<Own, 'ad' | 'device'>): CampaignBody => ({
  name: 'Autumn',
  adIds: [own.ad],
  devices: { ids: [own.device] },
  schedule: { from: addDays(utcDate(Date.now()), 1), to: addDays(utcDate(Date.now()), 20) },
  goal: { kind: 'perHour', value: 6 },
  price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
});
const plain = (url: string, body?: unknown): Row => ({
  url: () => url,
  ...(body !== undefined && { body: () => body }),
});

/** Bodies are such that the call goes as far as its scope check and changes nothing that others need. */
const ROWS: Record<string, Row> = {
  'session.captcha': plain('/api/captcha'),
  'session.login': plain('/api/login', { username: 'nobody', password: 'nothing' }),
  'session.loginCode': plain('/api/login/code', { challenge: 'none', code: '000000' }),
  'session.beginSecondFactor': plain('/api/second-factor', { password: 'not mine' }),
  'session.confirmSecondFactor': plain('/api/second-factor', { challenge: 'none', code: '000000' }),
  'session.endSecondFactor': plain('/api/second-factor/end', { password: 'not mine' }),
  'session.logout': plain('/api/logout'),
  'session.register': plain('/api/register', {}),
  'session.selfRegister': plain('/api/selfregister', {}),
  'session.checkRegisterCode': plain('/api/checkregistercode', { code: 'NOTACODE' }),
  'session.inviteRegisterCode': { url: (own) => `/api/inviteregistercode?format=png&code=${own.code}`, scoped: true },
  'session.settings': plain('/api/settings'),
  'users.list': plain('/api/users'),
  'users.create': plain('/api/users', {}),
  'users.get': { url: (own) => `/api/users/${own.user}`, scoped: true },
  'users.update': { url: (own) => `/api/users/${own.user}`, body: () => ({ phone: '12345678' }), scoped: true },
  'users.changePassword': {
    url: (own) => `/api/users/${own.user}/password`,
    body: () => ({ password: 'password1', confirm: 'another' }),
    scoped: true,
  },
  'users.changePhone': {
    url: (own) => `/api/users/${own.user}/phone`,
    body: () => ({ phone: '12345678' }),
    scoped: true,
  },
  'users.changeWorkingHours': {
    url: (own) => `/api/users/${own.user}/working-hours`,
    body: () => ({ workingHours: null }),
    scoped: true,
  },
  'ads.getDefaultContent': { url: (own) => `/api/users/${own.user}/default-content`, scoped: true },
  'ads.changeDefaultContent': {
    url: (own) => `/api/users/${own.user}/default-content`,
    body: () => ({ orientation: 'vertical', adId: null }),
    scoped: true,
  },
  'users.resetSecondFactor': { url: (own) => `/api/users/${own.user}/second-factor`, scoped: true },
  'users.delete': { url: (own) => `/api/users/${own.user}`, scoped: true },
  'users.listInvitations': plain('/api/invitations'),
  'users.createInvitations': plain('/api/invitations', { count: 0 }),
  'users.revokeInvitation': { url: (own) => `/api/invitations/${own.code}`, scoped: true },
  'users.listAudit': plain('/api/audit'),
  'colleagues.list': plain('/api/colleagues'),
  'colleagues.self': plain('/api/colleagues/self'),
  'colleagues.listAudit': plain('/api/colleagues/audit'),
  'colleagues.invite': plain('/api/colleagues/invitations', { name: 'Anna', access: 'readOnly' }),
  'colleagues.revoke': plain('/api/colleagues/invitations/NOTACODE'),
  'colleagues.update': {
    url: (own) => `/api/colleagues/${own.colleague}`,
    body: () => ({ disabled: true }),
    scoped: true,
  },
  'colleagues.delete': { url: (own) => `/api/colleagues/${own.colleague}`, scoped: true },
  'alerts.get': plain('/api/alerts'),
  'alerts.update': plain('/api/alerts', { email: null, webhook: null, offlineMinutes: null, expiringDays: null }),
  'alerts.confirm': plain('/api/alerts/confirm', { code: 'WRONG' }),
  'alerts.resendCode': plain('/api/alerts/confirmation'),
  'alerts.test': plain('/api/alerts/test'),
  'home.summary': plain('/api/'),
  'home.live': plain('/api/live'),
  'devices.list': plain('/api/devices'),
  'devices.create': plain('/api/devices', { mac: 'no' }),
  'devices.previewPair': plain('/api/devices/pair/preview', { code: '000000' }),
  'devices.pair': plain('/api/devices/pair', { mac: '02:00:00:00:00:01', code: '000000' }),
  'devices.waiting': plain('/api/devices/waiting'),
  'devices.areas': plain('/api/devices/areas?q=ly'),
  'devices.tags': plain('/api/devices/tags?q=ly'),
  'devices.export': plain('/api/devices/export'),
  'devices.exportChosen': plain('/api/devices/export', { ids: [MISSING] }),
  'devices.template': plain('/api/devices/template'),
  'devices.import': plain('/api/devices/import', {}),
  'devices.get': { url: (own) => `/api/devices/${own.device}`, scoped: true },
  'devices.update': { url: (own) => `/api/devices/${own.device}`, body: () => ({ name: 'x' }), scoped: true },
  'devices.delete': { url: (own) => `/api/devices/${own.device}`, scoped: true },
  'devices.history': { url: (own) => `/api/devices/${own.device}/history`, scoped: true },
  'devices.requestScreenshot': { url: (own) => `/api/devices/${own.device}/screenshot`, scoped: true },
  'devices.getScreenshot': { url: (own) => `/api/devices/${own.device}/screenshot`, scoped: true },
  'devices.listFiles': { url: (own) => `/api/devices/${own.device}/files`, scoped: true },
  'devices.clear': { url: (own) => `/api/devices/${own.device}/files`, scoped: true },
  'batches.start': plain('/api/devices/batch', { ids: [MISSING], action: 'restart' }),
  'batches.undo': plain('/api/devices/undo', { undo: MISSING }),
  'batches.get': { url: (own) => `/api/batches/${own.batch}`, scoped: true },
  'files.list': plain('/api/files'),
  'files.counts': plain('/api/files/counts'),
  'files.get': { url: (own) => `/api/files/${own.file}`, scoped: true },
  'files.uses': { url: (own) => `/api/files/${own.file}/uses`, scoped: true },
  'files.update': { url: (own) => `/api/files/${own.file}`, body: () => ({ name: 'x' }), scoped: true },
  'files.delete': { url: (own) => `/api/files/${own.file}`, scoped: true },
  'files.deleteMany': plain('/api/files/delete', { ids: [MISSING] }),
  'files.media': plain(`/media/${'0'.repeat(64)}`),
  'files.poster': plain(`/media/${'0'.repeat(64)}/poster`),
  'ads.list': plain('/api/ads'),
  'ads.create': {
    url: () => '/api/ads',
    body: (own) => ({
      name: 'x',
      orientation: 'vertical',
      split: 'full',
      regions: { full: [{ kind: 'file', fileId: own.file }] },
    }),
    scoped: true,
  },
  'ads.checks': { url: (own) => `/api/ads/${own.ad}/checks`, scoped: true },
  'ads.get': { url: (own) => `/api/ads/${own.ad}`, scoped: true },
  'ads.update': {
    url: (own) => `/api/ads/${own.ad}`,
    body: (own) => ({
      name: 'x',
      orientation: 'vertical',
      split: 'full',
      regions: { full: [{ kind: 'file', fileId: own.file }] },
      updatedAt: own.updatedAt,
    }),
    scoped: true,
  },
  'ads.delete': { url: (own) => `/api/ads/${own.ad}`, scoped: true },
  'ads.updateDevices': { url: (own) => `/api/ads/${own.ad}/update`, body: () => ({}), scoped: true },
  'ads.listDevices': { url: (own) => `/api/ads/${own.ad}/devices`, scoped: true },
  'ads.copy': { url: (own) => `/api/ads/${own.ad}/copy`, body: () => ({ name: 'x' }), scoped: true },
  'ads.release': {
    url: (own) => `/api/ads/${own.ad}/release`,
    body: (own) => ({ devices: { ids: [own.device] } }),
    scoped: true,
  },
  'releases.list': plain('/api/releases'),
  'releases.get': { url: (own) => `/api/releases/${own.release}`, scoped: true },
  'releases.listDevices': { url: (own) => `/api/releases/${own.release}/devices`, scoped: true },
  'releases.withdraw': { url: (own) => `/api/releases/${own.release}/withdraw`, scoped: true },
  'releases.restore': { url: (own) => `/api/releases/${own.release}/restore`, scoped: true },
  'ads.approve': { url: (own) => `/api/releases/${own.requestedRelease}/approve`, scoped: true },
  'releases.reject': {
    url: (own) => `/api/releases/${own.requestedRelease}/reject`,
    body: () => ({ remark: 'Too loud' }),
    scoped: true,
  },
  'releases.pause': { url: (own) => `/api/releases/${own.release}/pause`, scoped: true },
  'releases.resume': { url: (own) => `/api/releases/${own.release}/go-on`, body: () => ({ stage: 0 }), scoped: true },
  'releases.retry': { url: (own) => `/api/releases/${own.release}/retry`, body: () => ({}), scoped: true },
  'releases.deviceCalendar': {
    url: (own) => `/api/devices/${own.device}/calendar?from=2026-01-01&to=2026-01-07`,
    scoped: true,
  },
  'releases.groupCalendar': {
    url: (own) => `/api/groups/${own.group}/calendar?from=2026-01-01&to=2026-01-07`,
    scoped: true,
  },
  'releases.programme': { url: (own) => `/api/devices/${own.device}/programme`, scoped: true },
  'reports.plays': { url: (own) => `/api/reports/plays?days=1&device=${own.device}`, scoped: true },
  'reports.history': { url: (own) => `/api/reports/plays/history?days=1&ad=${own.ad}`, scoped: true },
  'takeovers.list': plain('/api/takeovers'),
  'takeovers.create': {
    url: () => '/api/takeovers',
    body: (own) => ({ adId: own.ad, devices: { ids: [own.device] }, until: inAnHour() }),
    scoped: true,
  },
  'takeovers.get': { url: (own) => `/api/takeovers/${own.takeover}`, scoped: true },
  'takeovers.listDevices': { url: (own) => `/api/takeovers/${own.takeover}/devices`, scoped: true },
  'takeovers.start': {
    url: (own) => `/api/takeovers/${own.takeover}/start`,
    body: () => ({ until: inAnHour() }),
    scoped: true,
  },
  'takeovers.end': { url: (own) => `/api/takeovers/${own.takeover}/end`, scoped: true },
  'campaigns.list': plain('/api/campaigns'),
  'campaigns.create': { url: () => '/api/campaigns', body: campaignBody, scoped: true },
  'campaigns.availability': { url: () => '/api/campaigns/availability', body: campaignBody, scoped: true },
  'campaigns.get': { url: (own) => `/api/campaigns/${own.campaign}`, scoped: true },
  'campaigns.update': { url: (own) => `/api/campaigns/${own.campaign}`, body: campaignBody, scoped: true },
  'campaigns.delete': { url: (own) => `/api/campaigns/${own.campaign}`, scoped: true },
  'campaigns.request': { url: (own) => `/api/campaigns/${own.campaign}/request`, scoped: true },
  'campaigns.approve': { url: (own) => `/api/campaigns/${own.requested}/approve`, scoped: true },
  'campaigns.reject': {
    url: (own) => `/api/campaigns/${own.requested}/reject`,
    body: () => ({ remark: 'Too loud' }),
    scoped: true,
  },
  'campaigns.book': { url: (own) => `/api/campaigns/${own.campaign}/book`, scoped: true },
  'campaigns.cancel': { url: (own) => `/api/campaigns/${own.requested}/cancel`, scoped: true },
  'campaigns.delivery': { url: (own) => `/api/campaigns/${own.campaign}/delivery`, scoped: true },
  'campaigns.statement': { url: (own) => `/api/campaigns/${own.campaign}/statement`, scoped: true },
  'campaigns.share': { url: (own) => `/api/campaigns/${own.campaign}/share`, scoped: true },
  'campaigns.proof': { url: (own) => `/api/campaigns/${own.campaign}/proof`, scoped: true },
  'campaigns.revenue': plain('/api/campaigns/revenue'),
  'campaigns.occupancy': plain('/api/campaigns/occupancy'),
  'campaigns.getSettings': plain('/api/campaigns/settings'),
  'campaigns.updateSettings': plain('/api/campaigns/settings', { sellable: 70 }),
  'scans.follow': plain(`/q/${'x'.repeat(16)}`),
  'scans.ofRelease': { url: (own) => `/api/releases/${own.release}/scans`, scoped: true },
  'scans.ofCampaign': { url: (own) => `/api/campaigns/${own.campaign}/scans`, scoped: true },
  'groups.list': plain('/api/groups'),
  'groups.create': { url: () => '/api/groups', body: () => ({ name: 'All', filter: {} }) },
  'groups.get': { url: (own) => `/api/groups/${own.group}`, scoped: true },
  'groups.update': { url: (own) => `/api/groups/${own.group}`, body: () => ({ name: 'Others' }), scoped: true },
  'groups.delete': { url: (own) => `/api/groups/${own.group}`, scoped: true },
  'search.list': plain('/api/search?q=ly'),
  'shares.list': plain('/api/shares'),
  'shares.create': {
    url: () => '/api/shares',
    body: (own) => ({ subject: { kind: 'report', report: { days: 1, device: own.device } } }),
    scoped: true,
  },
  'shares.revoke': { url: (own) => `/api/shares/${own.share}`, scoped: true },
  'shares.picture': plain(`/share/${'x'.repeat(43)}/pictures/${'0'.repeat(64)}`),
  'shares.proof': plain(`/share/${'x'.repeat(43)}/proof`),
  'shares.verify': plain('/share/verify'),
  'shares.open': plain(`/share/${'x'.repeat(43)}`),
  'reports.export': { url: (own) => `/api/reports/plays/export?days=1&file=${own.file}`, scoped: true },
  'apps.list': plain('/api/apps'),
  // Everybody sees what the root account has published.
  'apps.get': { url: () => `/api/apps/${app}` },
  'apps.update': plain(`/api/apps/${MISSING}`, {}),
  'apps.delete': plain(`/api/apps/${MISSING}`),
  'player.enrol': plain('/api/player/enrol', {}),
  'player.manifest': plain('/api/player/manifest'),
  'player.socket': plain('/api/player/socket'),
  'player.status': plain('/api/player/status', {}),
  'player.plays': plain('/api/player/plays', {}),
  'player.screenshot': plain('/api/player/screenshot', {}),
  'player.app': plain('/api/player/app?package=com.example.player&code=1'),
  'service.health': plain('/health'),
  'service.ready': plain('/ready'),
  'service.metrics': plain('/metrics'),
};

const ALL: [string, Route][] = Object.entries(routes).flatMap(([feature, table]) =>
  Object.entries(table).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
);

let boss: Session;
let member: Session;
let strangerMember: Session;
let strangerBoss: Session;
let operator: ColleagueSession;
let reader: ColleagueSession;
let deviceSecret: string;
let app: string;
let video: Buffer;
let picture: Buffer;

/** Small batches are done within the answer, which then does not name them. */
async function startBatch(owner: Session, device: string): Promise<string> {
  dataOf(await owner.calls.batches.start({ body: { ids: [device], action: 'restart' } }));
  const batch = await server.deps.db.selectFrom('batches').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  return batch.id;
}

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** A member cannot order takeovers; its superior can, of its ads. */
async function prepareTakeover(adId: string, device: string): Promise<string> {
  const body = { adId, devices: { ids: [device] }, prepare: true };
  return dataOf(await boss.calls.takeovers.create({ body })).id;
}

/** A release of a member that waits for approval. */
async function requestRelease(owner: Session, id: string, device: string): Promise<string> {
  const { user } = owner;
  const needApproval = (releasesNeedApproval: boolean) =>
    boss.calls.users.update({ params: { id: user.id }, body: { releasesNeedApproval } });
  dataOf(await needApproval(true));
  const release = dataOf(await owner.calls.ads.release({ params: { id }, body: { devices: { ids: [device] } } }));
  dataOf(await needApproval(false));
  return release.id;
}

/** A draft of a campaign and one that was requested. */
async function makeCampaigns(owner: Session, own: Pick<Own, 'ad' | 'device'>) {
  const campaign = dataOf(await owner.calls.campaigns.create({ body: campaignBody(own) })).id;
  const requested = dataOf(await owner.calls.campaigns.create({ body: campaignBody(own) })).id;
  dataOf(await owner.calls.campaigns.request({ params: { id: requested } }));
  return { campaign, requested };
}

const isName = (key: string | symbol): key is keyof Own => key in NOTHING;

/** The things that a row names. */
function namedBy(row: Row): (keyof Own)[] {
  const named: (keyof Own)[] = [];
  const spy = new Proxy(NOTHING, {
    get: (own, key) => {
      if (!isName(key)) return undefined;
      named.push(key);
      return own[key];
    },
  });
  row.url(spy);
  row.body?.(spy);
  return named;
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

/** Belongs to a member below `boss`. `named` is made, with what it needs: a file takes longer than everything else. */
async function makeOwn(named: readonly (keyof Own)[]): Promise<Own> {
  const owner = await server.createUser('member', boss);
  const device = once(async () => {
    const { secret, device: paired } = await pairedDevice(server, owner);
    await fetch(`${server.url}/api/player/screenshot`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(picture),
    });
    return paired.id;
  });
  const released = once(async () => {
    const file = await addFile(server, owner, video, { name: 'a.mp4', orientation: 'vertical', kind: 2 });
    const { id } = await addAd(owner, 'ad', file.id);
    const body = { devices: { ids: [await device()] } };
    const release = dataOf(await owner.calls.ads.release({ params: { id }, body })).id;
    return { file: file.id, id, release };
  });
  const campaigns = once(async () => makeCampaigns(owner, { ad: (await released()).id, device: await device() }));
  const makes: { [Name in keyof Own]: () => Promise<string> } = {
    user: async () => owner.user.id,
    device,
    file: async () => (await released()).file,
    ad: async () => (await released()).id,
    release: async () => (await released()).release,
    updatedAt: async () => dataOf(await owner.calls.ads.get({ params: { id: (await released()).id } })).updatedAt,
    code: async () => dataOf(await boss.calls.users.createInvitations({ body: { count: 1 } })).items[0]?.code ?? '',
    takeover: async () => prepareTakeover((await released()).id, await device()),
    group: async () => dataOf(await owner.calls.groups.create({ body: { name: 'All', filter: {} } })).id,
    campaign: async () => (await campaigns()).campaign,
    requested: async () => (await campaigns()).requested,
    requestedRelease: async () => requestRelease(owner, (await released()).id, await device()),
    share: async () => {
      const subject = { kind: 'report' as const, report: { days: 1 } };
      return dataOf(await owner.calls.shares.create({ body: { subject } })).id;
    },
    batch: async () => startBatch(owner, await device()),
    colleague: async () => (await addColleague(server, owner, 'operator')).id,
  };
  const own = { ...NOTHING };
  for (const name of named) own[name] = await makes[name]();
  return own;
}

const everything = once(() => makeOwn(Object.keys(NOTHING).filter(isName)));

/** Things to call this route with. Calls that only read share them. */
const ownFor = (route: Route, row: Row): Promise<Own> => (isReading(route) ? everything() : makeOwn(namedBy(row)));

beforeAll(async () => {
  video = await makeMp4();
  picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
  strangerMember = await server.createUser('member');
  strangerBoss = await server.createUser('leading');
  operator = await addColleague(server, boss, 'operator');
  reader = await addColleague(server, boss, 'readOnly');
  deviceSecret = (await pairedDevice(server, member)).secret;
  app = (await addApp(server, await server.login(), await makeApk(1))).id;
});

async function statusOf(route: Route, row: Row, own: Own, token?: string): Promise<number> {
  const body = row.body?.(own);
  const stop = new AbortController();
  const reply = await fetch(server.url + row.url(own), {
    method: route.method,
    signal: stop.signal,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  stop.abort();
  return reply.status;
}

const rowOf = (name: string): Row => {
  const row = ROWS[name];
  if (!row) throw new Error(`${name} has no row in the access test`);
  return row;
};

test('every route of the contract has its row, and every row its route', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(ALL.map(([name]) => name).toSorted());
});

const only = (access: Access) => ALL.filter(([, route]) => route.access === access);
/** Things that nobody has. */
const NOTHING: Own = {
  user: MISSING,
  device: MISSING,
  file: MISSING,
  ad: MISSING,
  release: MISSING,
  takeover: MISSING,
  group: MISSING,
  campaign: MISSING,
  requested: MISSING,
  requestedRelease: MISSING,
  share: MISSING,
  updatedAt: '2026-01-01T00:00:00Z',
  code: 'NOTACODE',
  batch: MISSING,
  colleague: MISSING,
};

test.each([...only('user'), ...only('leading')])('%s is closed to nobody and to devices', async (name, route) => {
  expect(await statusOf(route, rowOf(name), NOTHING)).toBe(401);
  expect(await statusOf(route, rowOf(name), NOTHING, 'nonsense')).toBe(401);
  expect(await statusOf(route, rowOf(name), NOTHING, deviceSecret)).toBe(401);
});

test.each(only('device'))('%s is closed to people', async (name, route) => {
  expect(await statusOf(route, rowOf(name), NOTHING)).toBe(401);
  expect(await statusOf(route, rowOf(name), NOTHING, boss.token)).toBe(401);
});

test.each(only('leading'))('%s is closed to members', async (name, route) => {
  expect(await statusOf(route, rowOf(name), NOTHING, strangerMember.token)).toBe(403);
});

test.each(ALL.filter(([name, route]) => ROWS[name]?.scoped && route.access !== 'open'))(
  '%s answers 404 out of scope and works in scope',
  async (name, route) => {
    const own = await ownFor(route, rowOf(name));
    if (route.access === 'user') expect(await statusOf(route, rowOf(name), own, strangerMember.token)).toBe(404);
    expect(await statusOf(route, rowOf(name), own, strangerBoss.token)).toBe(404);
    const inScope = await statusOf(route, rowOf(name), own, boss.token);
    // Two different passwords, a file in use, an offline device, a campaign without a booking and a release that is not
    // withdrawn are refused by their rules, once the scope was granted.
    expect(inScope).toBe(
      new Map([
        ['users.changePassword', 422],
        ['files.delete', 409],
        ['devices.requestScreenshot', 409],
        ['campaigns.statement', 409],
        ['campaigns.share', 409],
        ['releases.restore', 409],
      ]).get(name) ?? 200,
    );
    const byRoot = await statusOf(route, rowOf(name), await ownFor(route, rowOf(name)), (await server.login()).token);
    expect(byRoot).toBe(inScope);
  },
  60_000,
);

test.each(ALL.filter(([name, route]) => !ROWS[name]?.scoped && route.access === 'user'))(
  '%s is open to any session',
  async (name, route) => {
    const caller = await server.createUser('member');
    // There is nothing to undo or to revoke: the call was allowed.
    const allowed = new Map([
      ['batches.undo', [409]],
      ['colleagues.revoke', [404]],
    ]).get(name) ?? [200, 422];
    expect(allowed).toContain(await statusOf(route, rowOf(name), NOTHING, caller.token));
  },
);

const OF_PEOPLE = [...only('user'), ...only('leading')];

/** The calls that change something and are open to read-only people; each says so in the contract. */
const CHANGES_OF_READERS = [
  'session.logout',
  'session.beginSecondFactor',
  'session.confirmSecondFactor',
  'session.endSecondFactor',
  // Their own; any other is refused by the handler.
  'users.changePassword',
];

test('a call that changes something is closed to read-only people unless it is their own log-in', () => {
  const open = OF_PEOPLE.filter(([, route]) => !isReading(route) && peopleOf(route) === 'all').map(([name]) => name);
  expect(open).toEqual(CHANGES_OF_READERS);
});

test.each(OF_PEOPLE.filter(([, route]) => peopleOf(route) !== 'all'))(
  '%s is closed to a read-only colleague',
  async (name, route) => {
    expect(await statusOf(route, rowOf(name), NOTHING, reader.token)).toBe(403);
  },
);

test.each(OF_PEOPLE.filter(([, route]) => peopleOf(route) === 'holder'))(
  '%s is closed to an operator',
  async (name, route) => {
    expect(await statusOf(route, rowOf(name), NOTHING, operator.token)).toBe(403);
  },
);

test.each(OF_PEOPLE.filter(([, route]) => isReading(route) && peopleOf(route) === 'all'))(
  '%s is open to a read-only colleague',
  async (name, route) => {
    expect([401, 403]).not.toContain(await statusOf(route, rowOf(name), NOTHING, reader.token));
  },
);

test.each(['POST', 'PATCH', 'DELETE'])('tus %s is closed to a read-only colleague', async (method) => {
  const reply = await fetch(`${server.url}/api/uploads${method === 'POST' ? '' : `/${MISSING}`}`, {
    method,
    headers: { 'authorization': `Bearer ${reader.token}`, 'tus-resumable': '1.0.0', 'upload-length': '9' },
  });
  expect(reply.status).toBe(403);
  expect(await reply.json()).toMatchObject({ error: 'READ_ONLY' });
});
