import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { sql } from 'kysely';
import type { Release, JobName } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import { openProof } from '../src/campaigns/proof.service.ts';
import { insertNamed } from '../src/devices/batch.queries.ts';
import { findCommands } from '../src/devices/commands.service.ts';
import type { DeviceCommand } from '../src/devices/devices.tables.ts';
import { exportDevices } from '../src/devices/export.service.ts';
import { requestScreenshot } from '../src/devices/screenshots.service.ts';
import { messagesFor } from '../src/platform/http/messages.ts';
import { retryRelease } from '../src/releases/retry.service.ts';
import { exportPlays } from '../src/reports/export.service.ts';
import { exportInvitations } from '../src/users/invitations.service.ts';
import { makeApk } from './apk.ts';
import { holds, report, type Scene, smallPicture } from './scene.ts';
import { ADMIN, dataOf, type TestServer } from './server.ts';
import { rowsOf } from './sheets.ts';
import { openStream } from './stream.ts';
import { uploadInHalves } from './tus.ts';

/** Whether an effect takes place after an event; a text is the reason why the event does not concern it. */
type Outcome = 'happens' | 'stops' | `apart: ${string}`;

/** Something that a dealer orders and that takes effect later, by a device of a customer below. */
export interface Effect {
  /** Orders it. Returns a function that lets it take effect and returns whether it did. */
  order(scene: Scene): Promise<() => Promise<boolean>>;
  after: Record<'disabled' | 'demoted' | 'deleted' | 'reassigned' | 'fileDeleted', Outcome>;
}

const NO_FILE = { fileDeleted: 'apart: no file is in it' } as const;
const NO_DEVICE = { ...NO_FILE, reassigned: 'apart: no device is in it' } as const;
/** Operations that require an enabled dealer with the device in scope. */
const NEEDS_ACTOR = { disabled: 'stops', demoted: 'stops', deleted: 'stops' } as const;
const NEEDS_SCOPE = { ...NEEDS_ACTOR, reassigned: 'stops' } as const;

/** Whether work goes through that was let in before the event. */
const goesThrough = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

type RunTask = (name: JobName, payload?: object) => Promise<void>;

/** The first of two steps is done; whether the second one begins. */
function nextStep(begin: (release: Release) => Promise<void>): Effect {
  return {
    order: async (scene) => {
      const release = await scene.release({ stages: [{ percent: 50 }, { percent: 100 }] });
      const [first] = await scene.holders(release);
      const later = (await scene.devices()).find((device) => device !== first);
      if (!first || !later) throw new Error('each step has one device');
      return async () => {
        await report(first, 'done');
        await begin(release);
        return holds(later, release.id);
      };
    },
    // A file in a live release is not deleted.
    after: { ...NEEDS_SCOPE, fileDeleted: 'happens' },
  };
}

/** A web server that notes what is posted to it. */
async function makeReceiver(): Promise<{ url: string; paths: (string | undefined)[] }> {
  const paths: (string | undefined)[] = [];
  const receiver = createServer((request, response) => {
    paths.push(request.url);
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  return { url: `http://127.0.0.1:${(receiver.unref().address() as AddressInfo).port}`, paths };
}

/** Jobs that act for a person, by name. */
export function jobs({ deps: { db } }: TestServer, run: RunTask): Record<string, Effect> {
  const watchOffline = async ({ actor }: Scene, webhook: string): Promise<void> => {
    const body = { email: null, webhook, offlineMinutes: 5, expiringDays: null };
    dataOf(await actor.calls.alerts.update({ body }));
  };
  return {
    releases_advance: nextStep(({ id }) => run('releases_advance', { id })),
    releases_advance_all: nextStep(() => run('releases_advance_all')),
    releases_send: {
      order: async (scene) => {
        const release = await scene.release();
        const [device] = await scene.devices();
        // As if it had not reached any device yet.
        await sql`
          with waiting as (delete from release_devices where release_id = ${release.id} returning device_id)
          insert into release_sends (release_id, device_ids, total)
          select ${release.id}::uuid, array_agg(device_id), count(*) from waiting`.execute(db);
        return async () => {
          await run('releases_send', { id: release.id });
          return device !== undefined && holds(device, release.id);
        };
      },
      // A file in a live release is not deleted.
      after: { ...NEEDS_SCOPE, fileDeleted: 'happens' },
    },
    devices_batch: {
      order: async (scene) => {
        const ids = await scene.deviceIds();
        const { id } = await insertNamed(db, scene.viewer, { action: 'restart' }, ids);
        return async () => {
          await run('devices_batch', { id });
          return (
            (await db.selectFrom('device_commands').selectAll().where('device_id', 'in', ids).execute()).length > 0
          );
        };
      },
      after: { ...NEEDS_SCOPE, ...NO_FILE },
    },
    alerts_watch: {
      order: async (scene) => {
        const ids = await scene.deviceIds();
        await watchOffline(scene, (await makeReceiver()).url);
        return async () => {
          const hourAgo = sql<Date>`now() - interval '1 hour'`;
          await db.updateTable('devices').set({ last_seen_at: hourAgo }).where('id', 'in', ids).execute();
          await run('alerts_watch');
          const told = db.selectFrom('alerts_told').selectAll().where('user_id', '=', scene.actor.user.id);
          return (await told.execute()).length > 0;
        };
      },
      after: { ...NEEDS_SCOPE, ...NO_FILE },
    },
    alerts_send: {
      order: async (scene) => {
        const receiver = await makeReceiver();
        const deviceIds = await scene.deviceIds();
        await watchOffline(scene, receiver.url);
        return async () => {
          await run('alerts_send', { userId: scene.actor.user.id, occasion: 'offline', deviceIds, way: 'webhook' });
          return receiver.paths.length > 0;
        };
      },
      after: { ...NEEDS_SCOPE, ...NO_FILE },
    },
  };
}

/** Commands for an offline device when it reconnects. */
export function commands({ deps: { db } }: TestServer): Record<DeviceCommand, Effect> {
  const command = (action: DeviceCommand): Effect => ({
    order: async (scene) => {
      const ids = await scene.deviceIds();
      dataOf(await scene.actor.calls.batches.start({ body: { ids, action } }));
      return async () => (await findCommands(db, ids)).flat().some(({ name }) => name === action);
    },
    after: { ...NEEDS_SCOPE, ...NO_FILE },
  });
  return { restart: command('restart'), clear: command('clear') };
}

/** Answers to people that are written for long, or for as long as somebody listens; by their routes. */
export function answers(server: TestServer): Record<string, Effect> {
  const { deps } = server;
  const deviceExport: Effect = {
    order: async (scene) => {
      const [device] = await scene.devices();
      return async () => {
        const file = await exportDevices(deps, scene.viewer, { filter: {} }, 'en').catch(() => undefined);
        return file !== undefined && rowsOf(file).some(([mac]) => mac === device?.mac);
      };
    },
    after: { ...NEEDS_SCOPE, ...NO_FILE },
  };
  return {
    'devices.export': deviceExport,
    'devices.exportChosen': deviceExport,
    'session.inviteRegisterCode': {
      order: async (scene) => {
        const { items } = dataOf(await scene.actor.calls.users.createInvitations({ body: {} }));
        return async () => {
          const file = await exportInvitations(deps, scene.viewer, { timeZone: 'UTC', messages }).catch(
            () => undefined,
          );
          return file !== undefined && rowsOf(file).some(([code]) => code === items[0]?.code);
        };
      },
      after: { ...NEEDS_ACTOR, ...NO_DEVICE },
    },
    'reports.export': {
      order: async (scene) => {
        const release = await scene.release();
        const [device] = await scene.devices();
        if (!device) throw new Error('the scene has devices');
        await play(device, release);
        return async () => {
          const query = { group: 'device', format: 'csv', days: 2 } as const;
          const file = exportPlays(deps, scene.viewer, query, messagesFor('en').reports).catch(() => undefined);
          return (await file)?.bytes.includes(device.mac) ?? false;
        };
      },
      // Releases remain frozen.
      after: { ...NEEDS_SCOPE, fileDeleted: 'happens' },
    },
    'campaigns.proof': {
      order: async (scene) => {
        const body = {
          name: 'Spring',
          customerId: scene.customer.user.id,
          adIds: [(await scene.ad()).id],
          devices: { ids: await scene.deviceIds() },
          schedule: { from: '2099-01-01', to: '2099-01-31' },
          goal: { kind: 'perHour' as const, value: 6 },
          price: { kind: 'fixed' as const, amount: '1', currency: 'EUR' },
        };
        const { id } = dataOf(await scene.actor.calls.campaigns.create({ body }));
        return async () => {
          const file = await openProof(deps.db, scene.viewer, id, {}).catch(() => undefined);
          if (!file) return false;
          let text = '';
          for await (const piece of file.pieces) text += piece;
          return text.includes(id);
        };
      },
      after: { ...NEEDS_ACTOR, ...NO_DEVICE },
    },
    'home.live': {
      order: async (scene) => {
        const [id = ''] = await scene.deviceIds();
        const { device: marker } = await scene.ownDevice();
        const stream = await openStream(server, scene.actor);
        // It begins with what changed just before, which is not the event's.
        if (!(await stream.hears(marker.id))) throw new Error('the stream ended');
        stream.forget();
        const { calls } = scene.bystanders.root;
        const rename = async (device: string): Promise<void> =>
          void dataOf(await calls.devices.update({ params: { id: device }, body: { name: uuidv7() } }));
        return async () => {
          // The event's own messages precede the marker.
          await rename(marker.id);
          if (!(await stream.hears(marker.id))) return false;
          stream.forget();
          await rename(id);
          await rename(marker.id);
          return (await stream.hears(marker.id)) && stream.text().includes(id);
        };
      },
      after: { ...NEEDS_SCOPE, ...NO_FILE },
    },
  };
}

type Player = Awaited<ReturnType<Scene['devices']>>[number];

/** The device shows the release's picture once. */
async function play(device: Player, { id: releaseId }: Release): Promise<void> {
  const { screens } = await device.manifest();
  const sha256 = screens.main[0]?.regions.full?.[0]?.sha256 ?? '';
  const at = new Date().toISOString();
  const plays = [{ releaseId, sha256, at, durationMs: 1000, screen: 'main' as const }];
  expect(dataOf(await device.calls.player.plays({ body: { batch: uuidv7(), plays } }))).toMatchObject({ accepted: 1 });
}

let nextVersion = 100;

/** The rest: what people begin and end, and what was let in before the event. */
export function others(server: TestServer): Record<string, Effect> {
  const { db } = server.deps;
  return {
    'an upload into a customer’s account': {
      order: async ({ actor, customer }) => {
        const wishes = { name: 'red.jpg', orientation: 'vertical', kind: 1, owner: customer.user.id };
        const finish = await uploadInHalves(server, actor, await smallPicture(), wishes);
        return () => isKept(server, finish);
      },
      after: { ...NEEDS_ACTOR, ...NO_DEVICE },
    },
    'an upload of an app': {
      order: async ({ actor }) => {
        nextVersion += 1;
        const finish = await uploadInHalves(server, actor, await makeApk(nextVersion), { kind: 'app' });
        return () => isKept(server, finish);
      },
      after: { ...NEEDS_ACTOR, ...NO_DEVICE },
    },
    'an invitation': {
      order: async ({ actor }) => {
        const { items } = dataOf(await actor.calls.users.createInvitations({ body: { role: 'leading' } }));
        return () => isTaken(server, items[0]?.code ?? '');
      },
      after: { ...NEEDS_ACTOR, ...NO_DEVICE },
    },
    'another try of a failed release': {
      order: async (scene) => {
        const release = await scene.release();
        for (const device of await scene.devices()) await report(device, 'failed');
        const ids = await scene.deviceIds();
        return async () => {
          await goesThrough(retryRelease(db, scene.viewer, release.id, undefined));
          const devices = await db.selectFrom('devices_now').select('download').where('id', 'in', ids).execute();
          return devices.some(({ download }) => download?.state === 'waiting');
        };
      },
      after: { ...NEEDS_SCOPE, fileDeleted: 'happens' },
    },
    'a request for a picture of the screen': {
      order: async (scene) => {
        const [device] = await scene.devices();
        const channel = await device?.open();
        await channel?.next();
        return async () => {
          const asked = await goesThrough(requestScreenshot(server.deps, scene.viewer, device?.device.id ?? ''));
          await channel?.close();
          return asked;
        };
      },
      after: { ...NEEDS_SCOPE, ...NO_FILE },
    },
  };
}

/** Sends the rest of an upload: it is kept, or refused clearly and nothing of it is left. */
async function isKept({ deps }: TestServer, finish: () => Promise<Response>): Promise<boolean> {
  const { status, url } = await finish();
  expect([204, 401, 403, 404]).toContain(status);
  const id = url.split('/').at(-1) ?? '';
  expect(await deps.db.selectFrom('uploads').select('id').where('id', '=', id).execute()).toEqual([]);
  return status === 204;
}

/** Whether a code can still be used; the preview uses the same condition. */
async function isTaken(server: TestServer, code: string): Promise<boolean> {
  const { session } = server.as();
  const check = await session.checkRegisterCode({ body: { code } });
  const username = `i${uuidv7().replaceAll('-', '').slice(-12)}`;
  const { password } = ADMIN;
  const made = await session.register({ body: { code, username, password, confirm: password } });
  expect(made.code).toBe(check.code);
  return made.code === 200;
}
