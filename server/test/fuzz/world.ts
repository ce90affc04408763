import { randomBytes, randomInt } from 'node:crypto';
import { type Device, UPLOAD_URL } from '@ams/contract';
import sharp from 'sharp';
import type { Db } from '../../src/platform/database/database.ts';
import { startSession } from '../../src/session/session.service.ts';
import { addApp, makeApk } from '../apk.ts';
import { addFile } from '../media.ts';
import { pairedDevice } from '../device.ts';
import { dataOf, type Session, type TestServer } from '../server.ts';

/** Objects of a part of the installation, by the names that requests use. */
export type Things = Record<string, string>;

/** A leading user, a member below it and what they have. */
export interface Tree {
  boss: Session;
  member: Session;
  device: string;
  things: Things;
}

/** A tree whose every text that a person wrote carries a mark that nobody outside may ever read. */
export interface MarkedTree extends Tree {
  marks: string[];
}

async function createDevice(
  server: TestServer,
  owner: Session,
  name: string,
): Promise<{ device: Device; secret: string }> {
  const { device, secret } = await pairedDevice(server, owner);
  return { secret, device: dataOf(await owner.calls.devices.update({ params: { id: device.id }, body: { name } })) };
}

const picture = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 24,
      height: 32,
      channels: 3,
      background: { r: randomInt(256), g: randomInt(256), b: randomInt(256) },
    },
  })
    .composite([{ input: randomBytes(27), raw: { width: 3, height: 3, channels: 3 }, left: 0, top: 0 }])
    .jpeg()
    .toBuffer();

/** One of everything below a new leading user; texts begin with `mark`. */
export async function growTree(server: TestServer, mark: string): Promise<Tree> {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const bytes = await picture();
  const file = await addFile(server, member, bytes, { name: `${mark}.jpg`, orientation: 'vertical', kind: 1 });
  const { device, secret } = await createDevice(server, member, `${mark} device`);
  await fetch(`${server.url}/api/player/screenshot`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(bytes),
  });
  const regions = { full: [{ kind: 'file' as const, fileId: file.id }] };
  const ad = dataOf(
    await member.calls.ads.create({ body: { name: `${mark} ad`, orientation: 'vertical', split: 'full', regions } }),
  );
  const release = dataOf(
    await member.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }),
  );
  const { items } = dataOf(await boss.calls.users.createInvitations({ body: { count: 1 } }));
  dataOf(await boss.calls.batches.start({ body: { ids: [device.id], action: 'restart' } }));
  const batch = await server.deps.db.selectFrom('batches').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const upload = await fetch(server.url + UPLOAD_URL, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${member.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': '100',
      'upload-metadata': `name ${btoa(`${mark}.mp4`)},orientation ${btoa('vertical')},kind ${btoa('2')}`,
    },
  });
  const things: Things = {
    user: member.user.id,
    boss: boss.user.id,
    username: member.user.username,
    device: device.id,
    mac: device.mac,
    file: file.id,
    sha256: file.sha256,
    ad: ad.id,
    updatedAt: ad.updatedAt,
    release: release.id,
    code: items[0]?.code ?? '',
    batch: batch.id,
    upload: (upload.headers.get('location') ?? '').split('/').at(-1) ?? '',
  };
  return { boss, member, device: secret, things };
}

/** The part of the installation that the fuzzed callers must neither see nor change. */
export async function growForeign(server: TestServer): Promise<MarkedTree & { app: string }> {
  const mark = `fgn${randomBytes(4).toString('hex')}`;
  const tree = await growTree(server, mark);
  const phones: string[] = [];
  for (const person of [tree.boss, tree.member]) {
    const phone = `+99${randomInt(1e9, 9e9)}`;
    phones.push(phone);
    dataOf(await tree.boss.calls.users.update({ params: { id: person.user.id }, body: { phone } }));
  }
  await tree.boss.calls.alerts.update({
    body: { email: `${mark}@example.com`, webhook: null, offlineMinutes: null, expiringDays: null },
  });
  const app = await addApp(server, tree.boss, await makeApk(1), { name: 'Player', content: 'new' });
  const names = [tree.boss, tree.member].map(({ user }) => user.username);
  return { ...tree, app: app.id, marks: [mark, ...phones, ...names, tree.things['code'] ?? mark] };
}

/** All that a tree's leading user sees of it, as text. */
export async function pictureOf({ calls }: Session): Promise<string> {
  const parts = await Promise.all([
    calls.users.list().then(dataOf),
    calls.devices.list().then(dataOf),
    calls.files.list().then(dataOf),
    calls.ads.list().then(dataOf),
    calls.releases.list().then(dataOf),
    calls.users.listInvitations().then(dataOf),
    calls.users.listAudit().then(dataOf),
    calls.alerts.get().then(dataOf),
  ]);
  return JSON.stringify(parts, null, 1);
}

/** Restores users that logged out, were disabled or changed their passwords. */
export async function revive(db: Db, tree: Tree): Promise<void> {
  for (const person of [tree.boss, tree.member]) {
    const { id } = person.user;
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ disabled: false, remark: null })
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) person.token = (await startSession(db, id)).token;
  }
}
