import { createHash } from 'node:crypto';
import { type CreatedShare, LANGUAGES } from '@ams/contract';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
let dealer: Session;
let customer: Session;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  customer = await server.createUser('member', dealer);
});

const share = async (filter: object, who = customer, days: number | null = null): Promise<CreatedShare> =>
  dataOf(await who.calls.shares.create({ body: { subject: { kind: 'wall', title: 'Reception', filter }, days } }));

async function open(url: string, language = 'en') {
  const reply = await fetch(url, { headers: { 'accept-language': language } });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

/** A paired device with a name, a tag and a picture. */
async function shown(name: string, tag: string) {
  const player = await pairedDevice(server, customer);
  const params = { id: player.device.id };
  dataOf(await customer.calls.devices.update({ params, body: { name, tags: [tag] } }));
  const body = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const reply = await fetch(`${server.url}/api/player/screenshot?screen=main`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${player.secret}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(body),
  });
  expect(reply.status).toBe(200);
  return { ...player, picture: body };
}

const pictureIn = (text: string): string => /<img src="([^"]+)"/.exec(text)?.[1] ?? '';

test('a wall shows names, states and pictures of the devices that match now, and nothing else of them', async () => {
  const { device, mac, secret, picture } = await shown('Lobby <1>', 'wall');
  const made = await share({ tags: { all: ['wall'] } });
  expect(made).toMatchObject({ kind: 'wall', title: 'Reception', state: 'active', expiresAt: null });
  const { status, text } = await open(made.url);
  expect(status).toBe(200);
  expect(text).toContain('Lobby &lt;1&gt;');
  expect(text).toContain('0 of 1 online');
  for (const leaked of [device.id, mac, mac.replaceAll(':', ''), secret, customer.user.id, customer.user.username]) {
    expect(text.toLowerCase()).not.toContain(leaked.toLowerCase());
  }
  const reply = await fetch(server.url + pictureIn(text));
  expect(reply.headers.get('content-type')).toBe('image/jpeg');
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(picture);

  await shown('Canteen', 'wall');
  expect((await open(made.url)).text).toContain('Canteen');
});

test('a device that is dark on purpose is neither offline nor missing', async () => {
  const { device } = await shown('Museum', 'dark wall');
  const made = await share({ tags: { all: ['dark wall'] } });
  expect((await open(made.url)).text).toContain('Offline');
  const body = { workingHours: { weekly: {} } };
  dataOf(await customer.calls.devices.update({ params: { id: device.id }, body }));
  const { text } = await open(made.url);
  expect(text).toContain('Outside working hours');
  expect(text).not.toContain('Offline');
});

test('a wall that somebody looks at requests pictures of devices that have none, once for all who look', async () => {
  const player = await pairedDevice(server, customer);
  const params = { id: player.device.id };
  dataOf(await customer.calls.devices.update({ params, body: { tags: ['fresh'] } }));
  const [one, other] = [await share({ tags: { all: ['fresh'] } }), await share({ tags: { all: ['fresh'] } })];
  await open(one.url);
  const channel = await player.open();
  await channel.next();
  await open(one.url);
  expect(await channel.next()).toEqual({ type: 'screenshot' });
  await open(one.url);
  await open(other.url);
  // Commands arrive in their order: the next one is not of the wall.
  dataOf(await customer.calls.batches.start({ body: { ids: [params.id], action: 'restart' } }));
  expect(await channel.next()).toMatchObject({ type: 'restart' });
  await channel.close();
});

test('the page runs its own script alone and asks nobody else', async () => {
  const { headers, text } = await open((await share({})).url);
  const policy = headers.get('content-security-policy') ?? '';
  const script = /<script>(.*)<\/script>/s.exec(text)?.[1] ?? '';
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a revoked link shows neither the wall nor its pictures', async () => {
  await shown('Entrance', 'revoked');
  const made = await share({ tags: { all: ['revoked'] } });
  const picture = server.url + pictureIn((await open(made.url)).text);
  expect((await fetch(picture)).status).toBe(200);
  dataOf(await customer.calls.shares.revoke({ params: { id: made.id } }));
  expect((await open(made.url)).status).toBe(404);
  expect((await fetch(picture)).status).toBe(404);
});

test('the scope of the maker counts at each reading, for pictures too', async () => {
  const { device } = await shown('Handed over', 'moved');
  const filter = { tags: { all: ['moved'] } };
  const made = await share(filter);
  const other = await share(filter, dealer);
  const picture = server.url + pictureIn((await open(made.url)).text);
  const owner = await server.createUser('member', dealer);
  dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { ownerId: owner.user.id } }));
  expect((await open(made.url)).text).not.toContain('Handed over');
  expect((await fetch(picture)).status).toBe(404);
  expect((await open(other.url)).text).toContain('Handed over');
  // The name of a picture belongs to its link.
  const name =
    pictureIn((await open(other.url)).text)
      .split('/')
      .at(-1) ?? '';
  expect((await fetch(`${made.url}/pictures/${name}`)).status).toBe(404);
});

test('a wall of a group ends with the group, and strangers cannot make one', async () => {
  const group = dataOf(await customer.calls.groups.create({ body: { name: 'All', filter: {} } }));
  const made = await share({ group: group.id });
  expect((await open(made.url)).status).toBe(200);
  const stranger = await server.createUser('leading');
  const subject = { kind: 'wall' as const, title: 'x', filter: { group: group.id } };
  expect(await stranger.calls.shares.create({ body: { subject } })).toMatchObject({ error: 'NOT_FOUND' });
  dataOf(await customer.calls.groups.delete({ params: { id: group.id } }));
  expect((await open(made.url)).status).toBe(404);
});

test('a wall of devices that an unknown name would choose is refused: it would show all of them', async () => {
  const filter: object = { tag: ['lobby'] };
  const subject = { kind: 'wall' as const, title: 'Lobby', filter };
  expect(await customer.calls.shares.create({ body: { subject } })).toMatchObject({ error: 'INVALID' });
});

test.each(LANGUAGES)('a wall in %s has no unfilled placeholder', async (language) => {
  const { url } = await share({});
  expect((await open(url, language)).text).not.toMatch(/\{\{|undefined|NaN|Invalid Date/);
});
