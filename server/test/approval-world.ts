import { randomUUID } from 'node:crypto';
import type { Manifest } from '@ams/contract';
import { sql } from 'kysely';
import { readDevices } from '../src/player/manifest.queries.ts';
import { addAd } from './ads.ts';
import { pairedDevice } from './device.ts';
import { addFile, makeMp4 } from './media.ts';
import { dataOf, type Session, type TestServer } from './server.ts';

const CONTENTS = 5;
const ADS = 2;

/** An ad as the model knows it: the content that it shows (empty: none), and how often it changed. */
export interface ModelAd {
  id: string;
  content: string;
  version: number;
}

interface KnownFile {
  id: string;
  sha256: string;
}

/** A dealer with a bookable group, and a customer with ads, whose releases need approval. */
export interface World {
  server: Pick<TestServer, 'deps' | 'as' | 'login' | 'createUser'>;
  dealer: Session;
  other: Session;
  customer: Session;
  /** The same contents, owned by the dealer: those of the customer come and go. */
  library: KnownFile[];
  files: KnownFile[];
  ads: ModelAd[];
  needsApproval: boolean;
  group: string;
  /** One of the dealer, in the group, and one that is handed to every new customer. */
  devices: Awaited<ReturnType<typeof pairedDevice>>[];
}

/** Gives a customer a file without uploading it again. */
async function giveFile({ server, customer }: World, { id, sha256 }: KnownFile): Promise<KnownFile> {
  const copy = randomUUID();
  await sql`
    insert into files (id, owner_id, uploaded_by, name, orientation, kind, sha256)
    select ${copy}::uuid, ${customer.user.id}::uuid, ${customer.user.id}::uuid, name, orientation, kind, sha256
    from files where id = ${id}`.execute(server.deps.db);
  return { id: copy, sha256 };
}

/** A new ad of the customer in the place of another. */
export async function addModelAd({ customer, files }: Pick<World, 'customer' | 'files'>, n: number): Promise<ModelAd> {
  const file = files[n % files.length];
  if (!file) throw new Error('a world has files');
  return { id: (await addAd(customer, 'Ad', file.id)).id, content: file.sha256, version: 0 };
}

/** The file comes back under another id. */
export async function replaceFile(world: World, index: number): Promise<void> {
  const original = world.library[index];
  if (original) world.files[index] = await giveFile(world, original);
}

export async function addGroup({ dealer }: Pick<World, 'dealer'>): Promise<string> {
  const body = { name: `City ${randomUUID()}`, filter: { tags: { all: ['city'] } }, bookable: true };
  return dataOf(await dealer.calls.groups.create({ body })).id;
}

/** A new customer with files, ads and a device; its releases need approval. */
export async function addCustomer(world: World): Promise<void> {
  const { server, dealer, library, devices } = world;
  world.customer = await server.createUser('member', dealer);
  const { id } = world.customer.user;
  world.files = [];
  for (const file of library) world.files.push(await giveFile(world, file));
  world.ads = [];
  for (let n = 0; n < ADS; n += 1) world.ads.push(await addModelAd(world, n));
  dataOf(await dealer.calls.users.update({ params: { id }, body: { releasesNeedApproval: true } }));
  world.needsApproval = true;
  const own = devices[1]?.device.id ?? '';
  dataOf(await dealer.calls.devices.update({ params: { id: own }, body: { ownerId: id } }));
}

export async function makeWorld(server: TestServer): Promise<World> {
  const dealer = await server.createUser('leading');
  const other = await server.createUser('leading', dealer);
  const devices = [await pairedDevice(server, dealer), await pairedDevice(server, dealer)];
  for (const { device } of devices) {
    dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { expiresAt: null } }));
  }
  const sold = devices[0]?.device.id ?? '';
  dataOf(await dealer.calls.devices.update({ params: { id: sold }, body: { tags: ['city'] } }));
  const library: KnownFile[] = [];
  for (let n = 0; n < CONTENTS; n += 1) {
    const video = await makeMp4(n, n + 1);
    library.push(await addFile(server, dealer, video, { name: 'a.mp4', orientation: 'vertical', kind: 2 }));
  }
  const group = await addGroup({ dealer });
  const world: World = {
    ...{ server, dealer, other, customer: dealer, library, files: [], ads: [], needsApproval: true, group, devices },
  };
  await addCustomer(world);
  return world;
}

/** The same world before another server on its database. */
export function worldBefore(server: World['server'], world: World): World {
  const there = (session: Session): Session => ({ ...session, calls: server.as(session.token) });
  const { dealer, other, customer } = world;
  return { ...world, server, dealer: there(dealer), other: there(other), customer: there(customer) };
}

/** The contents that manifests of the devices have, by the query that manifests are made of. */
export async function shownContents({ server, devices }: World): Promise<string[]> {
  const ids = devices.map(({ device }) => device.id);
  const known = ids.map(() => null);
  const rows = await readDevices(server.deps.db, ids, known, sql<null>`null`, undefined);
  return [...rows.values()].flatMap(({ releases }) =>
    (releases ?? []).flatMap(({ regions }) =>
      Object.values(regions).flatMap((items) => items.map((item) => item.sha256)),
    ),
  );
}

/** The contents of the manifests as devices get them. */
export const sentContents = async ({ devices }: World): Promise<string[]> =>
  contentsOf(await Promise.all(devices.map((device) => device.manifest())));

export const contentsOf = (manifests: readonly Manifest[]): string[] =>
  manifests.flatMap(({ screens }) =>
    [...screens.main, ...screens.secondary].flatMap(({ regions }) =>
      Object.values(regions).flatMap((items) => items.map(({ sha256 }) => sha256)),
    ),
  );
