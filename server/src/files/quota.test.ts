import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { addFile, failureOf, upload } from '../../test/media.ts';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { metadataOf, type TusClient, tusAt } from '../../test/tus.ts';

const PICTURE = { name: 'picture.png', orientation: 'vertical', kind: 1 };
const MIB = 2 ** 20;

let server: TestServer;
let leader: Session;

beforeAll(async () => {
  server = await startTestServer({ AMS_QUOTA_MB: '1' });
  leader = await server.createUser('leading');
});

const makePng = (): Promise<Buffer> =>
  sharp({ create: { width: 90, height: 160, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

const create = (client: TusClient, bytes: number, owner?: string): Promise<Response> =>
  client.request('POST', '/api/uploads', {
    'upload-length': String(bytes),
    'upload-metadata': metadataOf({ ...PICTURE, ...(owner !== undefined && { owner }) }),
  });

const setQuota = (session: Session, id: string, quotaBytes: number | null) =>
  session.calls.users.update({ params: { id }, body: { quotaBytes } });

test('the default of the installation is shown, and applies at the beginning of an upload', async () => {
  const member = await server.createUser('member', leader);
  expect(dataOf(await server.as().session.settings())).toMatchObject({ quotaBytes: MIB });
  const refused = await create(tusAt(server.url, member), MIB + 1);
  expect(refused.status).toBe(422);
  expect(await failureOf(refused)).toMatchObject({
    error: 'QUOTA_EXCEEDED',
    details: { quotaBytes: MIB, usedBytes: 0 },
    message: expect.stringContaining('1 MB'),
  });
  expect(await readdir(path.join(server.config.data, 'uploads')).catch(() => [])).toEqual([]);
  expect((await create(tusAt(server.url, member), MIB)).status).toBe(201);
});

test('files count by their uploaded bytes, for their owner, until they are deleted', async () => {
  const member = await server.createUser('member', leader);
  const bytes = await makePng();
  const file = await addFile(server, leader, bytes, { ...PICTURE, owner: member.user.id });
  await addFile(server, member, bytes, PICTURE);
  const get = async () => dataOf(await leader.calls.users.get({ params: { id: member.user.id } }));
  expect(await get()).toMatchObject({ quotaBytes: null, usedBytes: 2 * bytes.length });
  dataOf(await setQuota(leader, member.user.id, 2 * bytes.length));
  expect(await get()).toMatchObject({ quotaBytes: 2 * bytes.length });
  const listed = dataOf(await leader.calls.users.list({ query: {} })).items.find(({ id }) => id === member.user.id);
  expect(listed).toMatchObject({ quotaBytes: 2 * bytes.length, usedBytes: 2 * bytes.length });

  for (const [session, owner] of [[member], [leader, member.user.id]] as const) {
    expect((await create(tusAt(server.url, session), 1, owner)).status).toBe(422);
  }
  dataOf(await member.calls.files.delete({ params: { id: file.id } }));
  expect(await get()).toMatchObject({ usedBytes: bytes.length });
  const again = await upload(server, member, bytes, PICTURE);
  expect(again.kind).toBe('done');
});

test('uploads that begin at once never exceed it together, and make room when they end', async () => {
  const member = await server.createUser('member', leader);
  dataOf(await setQuota(leader, member.user.id, 1000));
  const clients = [tusAt(server.url, member), tusAt(server.url, leader)];
  const owners = [member.user.id, member.user.id.toUpperCase()];
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      create(clients[n % 2] ?? tusAt(server.url, member), 300, owners[(n >> 1) % 2]),
    ),
  );
  const begun = replies.filter(({ status }) => status === 201);
  expect(begun).toHaveLength(3);
  expect(replies.filter(({ status }) => status === 422)).toHaveLength(9);
  const [client] = clients;
  const own = replies.findIndex(({ status }, n) => status === 201 && n % 2 === 0);
  const url = replies[own]?.headers.get('location');
  if (!client || !url) throw new Error('nobody began');
  expect((await client.request('DELETE', url)).status).toBe(204);
  expect((await create(client, 300)).status).toBe(201);
});

test('is set from above alone, and 0 is no limit', async () => {
  const member = await server.createUser('member', leader);
  const root = await server.login();
  expect(await setQuota(member, member.user.id, 0)).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await setQuota(leader, leader.user.id, 0)).toMatchObject({ error: 'NOT_YOURSELF' });
  expect(await setQuota(leader, root.user.id, 0)).toMatchObject({ error: 'NOT_FOUND' });
  expect(await setQuota(leader, member.user.id, -1)).toMatchObject({ error: 'INVALID' });
  dataOf(await setQuota(leader, member.user.id, 0));
  expect((await create(tusAt(server.url, member), 5 * MIB)).status).toBe(201);
  dataOf(await setQuota(leader, member.user.id, null));
  expect((await create(tusAt(server.url, member), 1)).status).toBe(422);
  expect(dataOf(await setQuota(root, root.user.id, 0))).toMatchObject({ quotaBytes: 0 });
});
