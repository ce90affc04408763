import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, startTestServer } from '../server.ts';
import { apiAt, MISSING, UTC, UUID_V7 } from './client.ts';

/** Tags, groups, standing releases, working hours and takeovers, called as the page "Calls" names them. */
const server = await startTestServer();
const api = apiAt(server.url);
const admin = await api.login(ADMIN.username);

type Person = Awaited<ReturnType<typeof api.addUser>>;
let dealer: Person;
let member: Person;

// Each test has a dealer of its own, so that filters find nothing of the others.
beforeEach(async () => {
  dealer = await api.addUser(admin, 'leading');
  member = await api.addUser(dealer.token, 'member');
});

interface Device {
  id: string;
  tags: string[];
}

interface Programme {
  releaseId: string;
  priority: string;
}

interface Manifest {
  version: string;
  screens: { main: Programme[] };
}

interface Takeover {
  id: string;
  endsAt: string;
  endedAt: string | null;
  counts: { total: number; told: number; showing: number };
}

const patch = (id: string, body: object, { token } = dealer) =>
  api.call<Device>('PATCH', `/devices/${id}`, { token, body });
const idsOf = async (path: string, { token } = dealer): Promise<string[]> =>
  (await api.data<{ items: { id: string }[] }>('GET', path, { token })).items.map(({ id }) => id);
const manifestOf = ({ secret }: { secret: string }) => api.data<Manifest>('GET', '/player/manifest', { token: secret });
const playing = async (device: { secret: string }): Promise<string[]> =>
  (await manifestOf(device)).screens.main.map(({ releaseId }) => releaseId);

async function addAd(name = 'Autumn', { token } = dealer): Promise<{ id: string }> {
  const picture = await sharp({
    create: { width: 540, height: 960, channels: 3, background: `#${randomUUID().slice(0, 6)}` },
  })
    .png()
    .toBuffer();
  const { id: fileId } = await api.addFile(token, picture, { name: 'Poster.png', orientation: 'vertical', kind: 1 });
  const body = { name, orientation: 'vertical', split: 'full', regions: { full: [{ kind: 'file', fileId }] } };
  return api.data('POST', '/ads', { token, body });
}

describe('tags', () => {
  test('PATCH normalises them, and GET devices finds all, any or none of them', async () => {
    const [lyon, paris, both] = [
      await api.addDevice(dealer.token),
      await api.addDevice(dealer.token),
      await api.addDevice(dealer.token),
    ];
    const { status, body } = await patch(lyon.id, { tags: ['  LYON ', 'ｌｙｏｎ'] });
    expect([status, body.data.tags]).toEqual([200, ['lyon']]);
    await patch(paris.id, { tags: ['paris'] });
    await patch(both.id, { tags: ['lyon', 'paris'] });
    expect((await idsOf('/devices?tag=Lyon')).toSorted()).toEqual([lyon.id, both.id].toSorted());
    expect(await idsOf('/devices?tag=lyon&tag=paris')).toEqual([both.id]);
    expect(await idsOf('/devices?anyTag=lyon&anyTag=paris')).toHaveLength(3);
    expect(await idsOf('/devices?noTag=paris')).toEqual([lyon.id]);
  });

  test('21 tags, an empty one and one of 31 characters are refused', async () => {
    const device = await api.addDevice(dealer.token);
    const many = Array.from({ length: 21 }, (_, index) => `tag ${index}`);
    for (const tags of [many, [''], ['x'.repeat(31)]]) {
      const { status, body } = await patch(device.id, { tags });
      expect([status, body.error]).toEqual([400, 'INVALID']);
    }
  });

  test('POST devices/batch adds and removes', async () => {
    const { token } = dealer;
    const device = await api.addDevice(token);
    const body = { filter: {}, action: 'tag', add: ['lyon'], remove: ['paris'] };
    const preview = await api.data('POST', '/devices/batch', { token, body: { ...body, dryRun: true } });
    expect(preview).toMatchObject({ done: 1, failed: [] });
    expect(await idsOf('/devices?tag=lyon')).toEqual([]);
    expect(await api.data('POST', '/devices/batch', { token, body })).toMatchObject({ done: 1, failed: [] });
    expect(await idsOf('/devices?tag=lyon')).toEqual([device.id]);
  });
});

describe('groups', () => {
  const lyon = { name: 'Lyon', filter: { tags: { all: ['lyon'] } } };

  test('POST, GET, PATCH and DELETE', async () => {
    const { token } = dealer;
    const device = await api.addDevice(member.token);
    await patch(device.id, { tags: ['lyon'] });
    const group = await api.data<{ id: string }>('POST', '/groups', { token, body: lyon });
    expect(group).toMatchObject({ id: expect.stringMatching(UUID_V7), ...lyon, bookable: false, devices: 1 });
    expect(group).toMatchObject({ owner: { id: dealer.id } });
    expect(await idsOf('/groups')).toEqual([group.id]);
    expect(await idsOf(`/devices?group=${group.id}`)).toEqual([device.id]);
    const body = { name: 'Paris', filter: { tags: { all: ['paris'] } } };
    expect(await api.data('PATCH', `/groups/${group.id}`, { token, body })).toMatchObject({ ...body, devices: 0 });
    expect(await api.data('DELETE', `/groups/${group.id}`, { token })).toBeNull();
    expect((await api.call('GET', `/groups/${group.id}`, { token })).status).toBe(404);
  });

  test('others see a group only if it is bookable and of a superior, without its filter', async () => {
    const group = await api.data<{ id: string }>('POST', '/groups', { token: dealer.token, body: lyon });
    expect(await idsOf('/groups', member)).toEqual([]);
    await api.data('PATCH', `/groups/${group.id}`, { token: dealer.token, body: { bookable: true } });
    const seen = await api.data<object>('GET', `/groups/${group.id}`, { token: member.token });
    expect(seen).toMatchObject({ name: 'Lyon', bookable: true, filter: null });
    const stranger = await api.addUser(admin, 'leading');
    expect((await api.call('GET', `/groups/${group.id}`, { token: stranger.token })).status).toBe(404);
    const body = { group: group.id, action: 'restart' };
    expect((await api.call('POST', '/devices/batch', { token: member.token, body })).status).toBe(404);
  });

  test('a standing release follows the devices of a group, which cannot be deleted meanwhile', async () => {
    const { token } = dealer;
    const [first, later] = [await api.addDevice(token), await api.addDevice(token)];
    await patch(first.id, { tags: ['lyon'] });
    const group = await api.data<{ id: string }>('POST', '/groups', { token, body: lyon });
    const ad = await addAd();
    const body = { devices: { group: group.id }, standing: true };
    const release = await api.data<{ id: string }>('POST', `/ads/${ad.id}/release`, { token, body });
    expect(release).toMatchObject({ counts: { total: 1 } });
    expect(await playing(first)).toEqual([release.id]);
    expect(await playing(later)).toEqual([]);
    await patch(later.id, { tags: ['lyon'] });
    expect(await playing(later)).toEqual([release.id]);
    await patch(first.id, { tags: [] });
    expect(await playing(first)).toEqual([]);
    const inUse = await api.call('DELETE', `/groups/${group.id}`, { token });
    expect([inUse.status, inUse.body.error]).toEqual([409, 'GROUP_IN_USE']);
    expect(JSON.stringify(inUse.body.details)).toContain('Autumn');
    await api.data('POST', `/releases/${release.id}/withdraw`, { token });
    expect(await playing(later)).toEqual([]);
    expect(await api.data('DELETE', `/groups/${group.id}`, { token })).toBeNull();
  });

  test('a release is standing for a filter, too, but not for single devices', async () => {
    const { token } = dealer;
    const ad = await addAd();
    const device = await api.addDevice(token);
    const filter = { devices: { filter: { tags: { all: ['lyon'] } } }, standing: true };
    const release = await api.data<{ id: string }>('POST', `/ads/${ad.id}/release`, { token, body: filter });
    await patch(device.id, { tags: ['lyon'] });
    expect(await playing(device)).toEqual([release.id]);
    const single = { devices: { ids: [device.id] }, standing: true };
    expect((await api.call('POST', `/ads/${ad.id}/release`, { token, body: single })).status).toBe(400);
  });
});

describe('working hours', () => {
  const workingHours = {
    weekly: {
      1: [
        { from: '08:00', to: '12:00' },
        { from: '13:00', to: '20:00' },
      ],
      7: [],
    },
    exceptions: [
      { date: '2028-02-29', hours: [] },
      { date: '2026-12-24', hours: [{ from: '08:00', to: '14:00' }] },
    ],
  };

  test('PATCH sets hours, volume and brightness, and the manifest has them', async () => {
    const device = await api.addDevice(member.token);
    const before = await manifestOf(device);
    const settings = { workingHours, volume: 30, brightness: 80 };
    const { status, body } = await patch(device.id, settings, member);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ volume: 30, brightness: 80 })]);
    expect(body.data).toMatchObject({ workingHours });
    const after = await manifestOf(device);
    expect(after).toMatchObject(settings);
    expect(after.version).not.toBe(before.version);
    await patch(device.id, { workingHours: null });
    expect(await manifestOf(device)).toMatchObject({ workingHours: null });
  });

  test('POST devices/batch sets hours', async () => {
    const { token } = dealer;
    const device = await api.addDevice(token);
    const body = { ids: [device.id, MISSING], action: 'hours', workingHours };
    expect(await api.data('POST', '/devices/batch', { token, body })).toMatchObject({
      done: 1,
      failed: [{ id: MISSING, error: 'NOT_FOUND' }],
    });
    expect(await api.data('GET', `/devices/${device.id}`, { token })).toMatchObject({ workingHours });
  });

  test('POST devices/batch sets volume and brightness', async () => {
    const { token } = member;
    const device = await api.addDevice(token);
    await patch(device.id, { volume: 80, brightness: 90 });
    const order = { filter: {}, action: 'levels', volume: 10 };
    const dry = await api.data('POST', '/devices/batch', { token, body: { ...order, dryRun: true } });
    expect(dry).toMatchObject({ done: 1, failed: [], preview: { unchanged: 0 } });
    expect(await manifestOf(device)).toMatchObject({ volume: 80 });
    expect(await api.data('POST', '/devices/batch', { token, body: order })).toMatchObject({ done: 1, failed: [] });
    expect(await manifestOf(device)).toMatchObject({ volume: 10, brightness: 90 });
    for (const wrong of [{}, { volume: 101 }, { brightness: 'bright' }]) {
      const body = { filter: {}, action: 'levels', ...wrong };
      expect((await api.call('POST', '/devices/batch', { token, body })).body.error).toBe('INVALID');
    }
  });

  test('what is no time, date or percentage is refused by its field', async () => {
    const device = await api.addDevice(dealer.token);
    for (const [field, body] of [
      ['workingHours', { workingHours: { weekly: { 1: [{ from: '25:00', to: '26:00' }] }, exceptions: [] } }],
      ['workingHours', { workingHours: { weekly: { 8: [] }, exceptions: [] } }],
      ['workingHours', { workingHours: { weekly: {}, exceptions: [{ date: '2027-02-29', hours: [] }] } }],
      ['volume', { volume: 101 }],
      ['brightness', { brightness: -1 }],
    ] as const) {
      const { status, body: answer } = await patch(device.id, body);
      expect([status, answer.error]).toEqual([400, 'INVALID']);
      expect(JSON.stringify(answer.details?.['fields'])).toContain(`"path":"${field}`);
    }
  });
});

describe('default content', () => {
  const put = (body: object, { token, id } = dealer) =>
    api.call<{ vertical: { ad: { id: string } } | null }>('PUT', `/users/${id}/default-content`, { token, body });

  test('PUT names an ad that plays while nothing else does; null removes it', async () => {
    const device = await api.addDevice(member.token);
    const [logo, spot] = [await addAd('Logo'), await addAd('Spot')];
    const { status, body } = await put({ orientation: 'vertical', adId: logo.id });
    expect([status, body.data?.vertical?.ad.id]).toEqual([200, logo.id]);
    const orders = { devices: { ids: [device.id] } };
    const release = await api.data<{ id: string }>('POST', `/ads/${spot.id}/release`, {
      token: dealer.token,
      body: orders,
    });
    const { screens } = await manifestOf(device);
    expect(screens.main).toContainEqual(expect.objectContaining({ releaseId: release.id, priority: 'normal' }));
    expect((await put({ orientation: 'vertical', adId: null })).body.data).toMatchObject({ vertical: null });
    expect(await playing(device)).toEqual([release.id]);
  });

  test('it is for leading users and their ads', async () => {
    const ad = await addAd();
    const order = { orientation: 'vertical', adId: ad.id };
    expect((await put(order, member)).body.error).toBe('LEADING_ONLY');
    expect((await put(order, await api.addUser(admin, 'leading'))).body.error).toBe('NOT_FOUND');
    expect((await put({ orientation: 'diagonal', adId: ad.id })).body.error).toBe('INVALID');
    const { token, id } = dealer;
    const path = `/users/${id}/default-content`;
    expect(await api.data('GET', path, { token })).toEqual({ vertical: null, horizontal: null });
  });
});

describe('takeovers', () => {
  const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

  test('POST takeovers reaches devices at once, above urgent, and ends by a call', async () => {
    const { token } = dealer;
    const device = await api.addDevice(member.token);
    const [urgent, ad] = [await addAd('Urgent'), await addAd('Storm')];
    const body = { devices: { ids: [device.id] }, priority: 'urgent' };
    const release = await api.data<{ id: string }>('POST', `/ads/${urgent.id}/release`, { token, body });
    const until = inAnHour();
    const takeover = await api.data<Takeover>('POST', '/takeovers', {
      token,
      body: { adId: ad.id, devices: { filter: {} }, until },
    });
    expect(takeover).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      counts: { total: 1, told: 0, showing: 0 },
      endsAt: until,
      endedAt: null,
    });
    const { screens } = await manifestOf(device);
    expect(screens.main.map(({ priority }) => priority)).toContain('takeover');
    expect(await api.data('GET', `/takeovers/${takeover.id}`, { token })).toMatchObject({ id: takeover.id });
    expect(await api.data('POST', `/takeovers/${takeover.id}/end`, { token })).toMatchObject({
      endedAt: expect.stringMatching(UTC),
    });
    expect(await playing(device)).toEqual([release.id]);
  });

  test('it goes to a group, for some minutes, and others do not see it', async () => {
    const { token } = dealer;
    const [inside, outside] = [await api.addDevice(member.token), await api.addDevice(member.token)];
    await patch(inside.id, { tags: ['lobby'] });
    const lobby = { name: 'Lobby', filter: { tags: { all: ['lobby'] } } };
    const group = await api.data<{ id: string }>('POST', '/groups', { token, body: lobby });
    const ad = await addAd('Storm');
    const order = { adId: ad.id, devices: { group: group.id }, minutes: 15 };
    const takeover = await api.data<Takeover>('POST', '/takeovers', { token, body: order });
    expect(takeover.counts.total).toBe(1);
    expect(Date.parse(takeover.endsAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    expect(await playing(inside)).toEqual([takeover.id]);
    expect(await playing(outside)).toEqual([]);
    for (const path of ['', '/devices']) {
      const stranger = await api.addUser(admin, 'leading');
      const answer = await api.call('GET', `/takeovers/${takeover.id}${path}`, { token: stranger.token });
      expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await api.call('POST', `/takeovers/${takeover.id}/end`, { token: member.token })).status).toBe(403);
    expect((await api.call('POST', `/takeovers/${MISSING}/end`, { token })).status).toBe(404);
  });

  test('it is for leading users, within their scope, and not for an end in the past', async () => {
    const ad = await addAd('Storm', member);
    const device = await api.addDevice(member.token);
    const order = { adId: ad.id, devices: { ids: [device.id] }, until: inAnHour() };
    const post = ({ token }: Person, body: object) => api.call('POST', '/takeovers', { token, body });
    expect((await post(member, order)).body.error).toBe('LEADING_ONLY');
    const stranger = await api.addUser(admin, 'leading');
    expect((await post(stranger, order)).body.error).toBe('NOT_FOUND');
    expect((await post(dealer, { ...order, until: '2020-01-01T00:00:00Z' })).body.error).toBe('INVALID');
    expect((await post(dealer, { ...order, devices: { ids: [MISSING] } })).body.error).toBe('NOT_FOUND');
  });
});
