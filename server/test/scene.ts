import type { Ad, Release } from '@ams/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { hashToken, personOf, type Viewer } from '../src/platform/auth/auth.ts';
import { addAd } from './ads.ts';
import { pairedDevice, type TestDevice } from './device.ts';
import { addFile } from './media.ts';
import { dataOf, type Session, type TestServer } from './server.ts';

export type SceneDevice = Awaited<ReturnType<typeof pairedDevice>>;

/** The people that every scene of a server shares: the root account, and a customer of another dealer. */
export interface Bystanders {
  root: Session;
  buyer: Session;
}

export async function gatherBystanders(server: TestServer): Promise<Bystanders> {
  const root = await server.login();
  return { root, buyer: await server.createUser('member', await server.createUser('leading', root)) };
}

/** A dealer that orders something, a customer below, and what they own; created on first use. */
export class Scene {
  readonly #server: TestServer;
  readonly bystanders: Bystanders;
  readonly actor: Session;
  readonly customer: Session;
  #devices: Promise<SceneDevice[]> | undefined;
  #ad: Promise<Ad> | undefined;

  private constructor(server: TestServer, bystanders: Bystanders, actor: Session, customer: Session) {
    this.#server = server;
    this.bystanders = bystanders;
    this.actor = actor;
    this.customer = customer;
  }

  static async begin(server: TestServer, bystanders: Bystanders): Promise<Scene> {
    const actor = await server.createUser('leading', bystanders.root);
    return new Scene(server, bystanders, actor, await server.createUser('member', actor));
  }

  /** The actor as a request knows it that was let in at the beginning. */
  get viewer(): Viewer {
    const { id, username, phone, role, superior } = this.actor.user;
    const person = personOf({ id, username });
    return { kind: 'user', id, username, phone, role, superior, person, tokenHash: hashToken(this.actor.token) };
  }

  /** Two paired devices of the customer. */
  devices(): Promise<SceneDevice[]> {
    this.#devices ??= Promise.all([1, 2].map(() => pairedDevice(this.#server, this.customer)));
    return this.#devices;
  }

  /** A device of the actor's own, which is not among `devices`. */
  ownDevice(): Promise<SceneDevice> {
    return pairedDevice(this.#server, this.actor);
  }

  async deviceIds(): Promise<string[]> {
    return (await this.devices()).map(({ device }) => device.id);
  }

  /** An ad of the actor's with one picture. */
  ad(): Promise<Ad> {
    this.#ad ??= addSmallAd(this.#server, this.actor);
    return this.#ad;
  }

  /** Sends the actor's ad to the devices. */
  async release(order: object = {}): Promise<Release> {
    const body = { devices: { ids: await this.deviceIds() }, ...order };
    return dataOf(await this.actor.calls.ads.release({ params: { id: (await this.ad()).id }, body }));
  }

  /** Adds devices of the actor's own, which nobody paired. */
  async addCrowd(count: number): Promise<void> {
    const { id } = this.actor.user;
    await sql`
      insert into devices (id, mac, owner_id)
      select gen_random_uuid(), ${id} || n, ${id} from generate_series(1, ${count}::int) n`.execute(
      this.#server.deps.db,
    );
  }

  /** Makes a release what it is right after its answer if its devices are many: none has it yet. */
  async keepBack({ id }: Pick<Release, 'id'>): Promise<void> {
    await sql`
      with waiting as (delete from release_devices where release_id = ${id} returning device_id)
      insert into release_sends (release_id, device_ids, total)
      select ${id}::uuid, array_agg(device_id order by device_id), count(*) from waiting`.execute(this.#server.deps.db);
  }

  /** A release as it is now. */
  async read({ id }: Release): Promise<Release> {
    return dataOf(await this.actor.calls.releases.get({ params: { id } }));
  }

  /** The revisions of the devices, in the order of their ids. */
  async revisions(): Promise<number[]> {
    const ids = await this.deviceIds();
    const { rows } = await sql<{ revision: number }>`
      select revision from device_revisions where device_id = any(${ids}::uuid[]) order by device_id`.execute(
      this.#server.deps.db,
    );
    return rows.map(({ revision }) => revision);
  }

  /** The devices whose manifests have the release. */
  async holders({ id }: Release): Promise<SceneDevice[]> {
    const devices = await this.devices();
    const held = await Promise.all(devices.map((device) => holds(device, id)));
    return devices.filter((_, index) => held[index]);
  }
}

export const holds = async (device: TestDevice, releaseId: string): Promise<boolean> =>
  (await device.manifest()).screens.main.some((programme) => programme.releaseId === releaseId);

/** A device reports how its download ended. */
export async function report(device: TestDevice, state: 'done' | 'failed'): Promise<void> {
  const { version } = await device.manifest();
  const download = { state, doneBytes: 1, totalBytes: 1 };
  dataOf(await device.calls.player.status({ body: { manifestVersion: version, download } }));
}

export const smallPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 540, height: 960, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();

async function addSmallAd(server: TestServer, session: Session): Promise<Ad> {
  const file = await addFile(server, session, await smallPicture(), {
    name: 'red.jpg',
    orientation: 'vertical',
    kind: 1,
  });
  return addAd(session, 'Autumn', file.id);
}
