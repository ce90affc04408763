import path from 'node:path';
import { detailsPath } from '../web/src/apps/address.ts';
import type { PagePath } from '../web/src/app/addresses.ts';
import { dataOf, PASSWORD, type RealServer } from './server.ts';

const APK = path.resolve(import.meta.dirname, '../node_modules/io.appium.settings/apks/settings_apk-debug.apk');
const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

/** Names that people gave: the only texts on the pages that are the same in every language. */
export const GIVEN_NAMES = ['Bakery at the corner of Long Street', 'Autumn sale', 'Poster', 'Foot', 'Player'];

/** A campaign that is booked, one that was requested, and a draft. */
async function addCampaign({ calls }: RealServer, adId: string, deviceId: string) {
  const body = {
    name: 'Autumn sale',
    adIds: [adId],
    devices: { ids: [deviceId] },
    schedule: { from: inDays(1), to: inDays(20) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perThousand' as const, amount: '12.50', currency: 'EUR' },
  };
  const { id } = dataOf(await calls.campaigns.create({ body }));
  dataOf(await calls.campaigns.book({ params: { id } }));
  const requested = dataOf(await calls.campaigns.create({ body: { ...body, name: 'Poster' } }));
  dataOf(await calls.campaigns.request({ params: { id: requested.id } }));
  const draft = dataOf(await calls.campaigns.create({ body: { ...body, name: 'Foot' } }));
  return { id, draft: draft.id };
}

/** Addresses of every page of the router, of a house with something in each room. */
export async function furnish(server: RealServer): Promise<string[]> {
  const { calls } = server;
  const add = async (username: string, role: 'leading' | 'member') =>
    dataOf(await calls.users.create({ body: { username, password: PASSWORD, role, phone: '+49 30 1234567' } }));
  const member = await add('miaMiller2026', 'member');
  await add('dealerBelow', 'leading');
  const forbidden = await add('forbidden1', 'member');
  dataOf(
    await calls.users.update({ params: { id: forbidden.id }, body: { disabled: true, remark: 'Invoice 7 is open' } }),
  );
  dataOf(await calls.users.createInvitations({ body: { count: 3 } }));

  const devices = await Promise.all(
    ['02005e0000b1', '02005e0000b2', '02005e0000b3'].map(async (mac, index) =>
      dataOf(
        await calls.devices.create({ body: { mac, ...(index === 0 && { name: GIVEN_NAMES[0], ownerId: member.id }) } }),
      ),
    ),
  );
  const [device, expiring, expired] = devices;
  if (!device || !expiring || !expired) throw new Error('three devices were made');
  dataOf(await calls.devices.update({ params: { id: expiring.id }, body: { expiresAt: inDays(3) } }));
  dataOf(await calls.devices.update({ params: { id: expired.id }, body: { expiresAt: inDays(-3) } }));

  const video = await server.addFile('Autumn sale.mp4', 'testsrc=size=360x640:rate=10:duration=2', {
    orientation: 'vertical',
    kind: 2,
  });
  const image = await server.addFile('Poster.png', 'color=blue:size=360x640', { orientation: 'vertical', kind: 1 });
  const foot = await server.addFile('Foot.png', 'color=green:size=640x360', { orientation: 'vertical', kind: 5 });
  const full = dataOf(
    await calls.ads.create({
      body: {
        name: 'Autumn sale',
        orientation: 'vertical',
        split: 'full',
        regions: {
          full: [
            { kind: 'file', fileId: video.id },
            { kind: 'file', fileId: image.id },
          ],
        },
      },
    }),
  );
  const two = dataOf(
    await calls.ads.create({
      body: {
        name: 'Poster',
        orientation: 'vertical',
        split: 'two',
        dual: true,
        playMode: 'shuffle',
        showClock: true,
        regions: { top: [{ kind: 'file', fileId: video.id }], bottom: [{ kind: 'file', fileId: foot.id }] },
      },
    }),
  );
  const release = dataOf(
    await calls.ads.release({
      params: { id: full.id },
      body: { devices: { ids: [device.id, expired.id] }, schedule: { from: inDays(-1), to: inDays(20) } },
    }),
  );
  const prepared = dataOf(
    await calls.takeovers.create({ body: { adId: full.id, devices: { ids: [device.id] }, prepare: true } }),
  );
  const group = dataOf(await calls.groups.create({ body: { name: 'Autumn sale', filter: { fits: 'vertical' } } }));
  const booked = await addCampaign(server, full.id, device.id);
  const app = await server.addApp(APK);

  const { id } = dataOf(await calls.users.get({ params: { id: full.owner.id } }));
  const pages: Record<PagePath, readonly string[]> = {
    '/': ['/'],
    '/user': ['/user'],
    '/user/add': ['/user/add'],
    '/user/:id': [`/user/${member.id}`, `/user/${forbidden.id}?password=set`],
    '/password': ['/password'],
    '/second-factor': ['/second-factor'],
    '/invitations': ['/invitations'],
    '/audit': ['/audit'],
    '/mac': ['/mac', '/mac?q=nothing+like+this'],
    '/mac/:id': [`/mac/${device.id}`, `/mac/${expired.id}`],
    '/groups': ['/groups'],
    '/groups/:id': [`/groups/${group.id}`],
    '/scancode': ['/scancode'],
    '/file': ['/file'],
    '/matlist/:id/:username?/:tactive?/:vactive?/:hactive?/:teamid?/:type?': [
      `/matlist/${id}/admin/1/0/0/1/2`,
      `/matlist/${id}/admin/2/2/0/1/5`,
    ],
    '/upload/:id/:username/:tactive/:vactive/:hactive/:teamid/:type': [`/upload/${id}/admin/1/0/0/1/2`],
    '/ad': ['/ad'],
    '/adlist/:id/:username/:mp4/:img/:ad_num': [`/adlist/${id}/admin/1/2/2`],
    '/release/:id/:teamid/:type': [`/release/${id}/1/2`, `/release/${id}/1/2?ad=${two.id}`],
    '/takeover': [`/takeover?ad=${full.id}`],
    '/takeovers/:id': [`/takeovers/${prepared.id}`],
    '/releases': ['/releases'],
    '/releases/:id': [`/releases/${release.id}`],
    '/calendar': ['/calendar', `/calendar?device=${device.id}`, `/calendar?group=${group.id}&view=day`],
    '/campaigns': ['/campaigns', '/campaigns?q=nothing+like+this'],
    '/campaigns/new': [`/campaigns/new?ad=${full.id}`],
    '/campaigns/:id': [`/campaigns/${booked.id}`],
    '/campaigns/:id/statement': [`/campaigns/${booked.id}/statement`],
    '/campaigns/:id/edit': [`/campaigns/${booked.draft}/edit`],
    '/revenue': ['/revenue', '/revenue?months=24'],
    '/occupancy': ['/occupancy'],
    '/approvals': ['/approvals'],
    '/reports': ['/reports?range=30'],
    '/applist': ['/applist'],
    '/appdetails/:id/:name/:content/:url/:ctime/:forced/:code/:istype': [detailsPath(app)],
    '/appupload': ['/appupload'],
    '/settings': ['/settings'],
    '/alerts': ['/alerts'],
    '*': ['/nowhere'],
    '/login': ['/login'],
    '/register/:code': ['/register/code'],
    // It would end the session of the walk; people.spec.ts logs out.
    '/logout': [],
  };
  return Object.values(pages).flat();
}
