import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeDevice, pairedDevice, type TestDevice } from '../../test/device.ts';
import { untilWaiting } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const admin = await server.login();

const makeJpeg = (width = 320, colour = '#2f5bea') =>
  sharp({ create: { width, height: 180, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

const send = (device: TestDevice, body: Buffer, type = 'image/jpeg', screen = 'main') =>
  fetch(`${server.url}/api/player/screenshot?screen=${screen}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${device.secret}`, 'content-type': type },
    body: new Uint8Array(body),
  });

const look = (id: string, session: Session, screen = 'main') =>
  fetch(`${server.url}/api/devices/${id}/screenshot?screen=${screen}`, {
    headers: { authorization: `Bearer ${session.token}` },
  });

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());

test('an operator requests a screenshot, the device uploads it, and only users in scope see it', async () => {
  const owner = await server.createUser('member');
  const device = await pairedDevice(server, owner);
  const { id } = device.device;
  const channel = await device.open();
  await channel.next();
  expect((await look(id, owner)).status).toBe(404);
  dataOf(await owner.calls.devices.requestScreenshot({ params: { id } }));
  expect(await channel.next()).toEqual({ type: 'screenshot' });

  const picture = await makeJpeg();
  expect((await send(device, picture)).status).toBe(200);
  const reply = await look(id, admin);
  expect(reply.headers.get('content-type')).toBe('image/jpeg');
  expect(reply.headers.get('cache-control')).toBe('private, no-store');
  expect(Date.now() - Date.parse(reply.headers.get('taken-at') ?? '')).toBeLessThan(20_000);
  expect(await bytesOf(reply)).toEqual(picture);
  const { screenshotAt } = dataOf(await owner.calls.devices.get({ params: { id } }));
  expect(screenshotAt).toEqual({ main: reply.headers.get('taken-at') });

  const stranger = await server.createUser('leading');
  expect((await look(id, stranger)).status).toBe(404);
  expect(await stranger.calls.devices.requestScreenshot({ params: { id } })).toMatchObject({ code: 404 });
  await channel.close();
});

test('each screen has one picture, the last; both go with the device', async () => {
  const device = await pairedDevice(server, admin);
  const { id } = device.device;
  const [first, last, other] = [await makeJpeg(100), await makeJpeg(200), await makeJpeg(300)];
  for (const picture of [first, last]) await send(device, picture);
  await send(device, other, 'image/jpeg', 'secondary');
  expect(await bytesOf(await look(id, admin))).toEqual(last);
  expect(await bytesOf(await look(id, admin, 'secondary'))).toEqual(other);
  expect(await kept(id)).toBe(2);
  dataOf(await admin.calls.devices.delete({ params: { id } }));
  expect(await kept(id)).toBe(0);
});

test('a picture that is on its way while its device gets another owner, or is replaced, is refused', async () => {
  const { db } = server.deps;
  /** Sends a picture that is stored after a change that is under way. */
  const sendDuring = async (device: TestDevice & { device: { id: string } }, change: () => Promise<unknown>) => {
    const held = await db.startTransaction().execute();
    await sql`select from devices where id = ${device.device.id} for update`.execute(held);
    const changed = change();
    await untilWaiting(db, 1);
    const sent = send(device, await makeJpeg());
    await untilWaiting(db, 2);
    await held.commit().execute();
    await changed;
    return sent;
  };
  const [former, next] = [await server.createUser('member'), await server.createUser('member')];
  const moved = await pairedDevice(server, former);
  const params = { id: moved.device.id };
  const reply = await sendDuring(moved, () => admin.calls.devices.update({ params, body: { ownerId: next.user.id } }));
  expect((await look(params.id, next)).status).toBe(404);
  expect(reply.status).toBe(404);
  expect((await send(moved, await makeJpeg())).status).toBe(200);

  const replaced = await pairedDevice(server, former);
  const { code } = await makeDevice(server, replaced.mac).enrol();
  const late = await sendDuring(replaced, () => former.calls.devices.pair({ body: { mac: replaced.mac, code } }));
  expect((await look(replaced.device.id, former)).status).toBe(404);
  expect(late.status).toBe(404);
});

test('a picture that comes when its device is deleted is refused', async () => {
  const device = await pairedDevice(server, admin);
  const { id } = device.device;
  const picture = await makeJpeg();
  expect((await send(device, picture)).status).toBe(200);
  // Like another process whose notification has not arrived yet.
  await server.deps.db.deleteFrom('devices').where('id', '=', id).execute();
  expect((await send(device, picture)).status).toBe(404);
});

async function kept(id: string): Promise<number> {
  const rows = await server.deps.db.selectFrom('screenshots').select('screen').where('device_id', '=', id).execute();
  return rows.length;
}

test('an offline device cannot be asked, and neither asking nor a picture makes it online', async () => {
  const device = await pairedDevice(server, admin);
  const { id } = device.device;
  expect(await admin.calls.devices.requestScreenshot({ params: { id } })).toMatchObject({
    code: 409,
    error: 'DEVICE_OFFLINE',
  });
  expect((await send(device, await makeJpeg())).status).toBe(200);
  dataOf(await device.calls.player.status({ body: { download: { state: 'waiting' } } }));
  expect(dataOf(await admin.calls.devices.get({ params: { id } })).online).toBe(false);
});

test('the bytes determine the type of a picture, not its name', async () => {
  const device = await pairedDevice(server, admin);
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const whole = await makeJpeg();
  const cut = whole.subarray(0, whole.length - 200);
  const script = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>alert(1)</script>')]);
  for (const bad of [png, cut, script, Buffer.alloc(0), Buffer.from('{}')]) {
    const reply = await send(device, bad);
    expect(await reply.json()).toMatchObject({ code: 415, error: 'UNSUPPORTED_FORMAT', details: { t: 'JPEG' } });
  }
  expect(await (await send(device, whole, 'image/png')).json()).toMatchObject({ code: 415, details: { t: 'JPEG' } });
  const large = await send(device, Buffer.concat([whole, Buffer.alloc(2 ** 20)]));
  expect(await large.json()).toMatchObject({ code: 413, error: 'TOO_LARGE', details: { limit: '1 MB' } });
  expect((await look(device.device.id, admin)).status).toBe(404);
});
