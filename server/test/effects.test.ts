import { isRaw, type JobName, type Route, routes } from '@ams/contract';
import { beforeAll, expect, test } from 'vitest';
import { tasksOf } from '../src/features.ts';
import { answers, commands, type Effect, jobs, others } from './effects.ts';
import { type Bystanders, gatherBystanders, Scene } from './scene.ts';
import { dataOf, startTestServer } from './server.ts';

/**
 * Every delayed effect, against every event that can happen before it. Jobs come from the server's
 * own registry and long answers from the contract: one without a row fails.
 */
const server = await startTestServer({ AMS_WEBHOOKS: 'internal' });
const tasks = tasksOf(server.deps);

/** Jobs that act for nobody, with what they do. */
const HOUSEWORK: Record<string, string> = {
  apps_read_signers: 'reads who signed the APKs that an older version stored',
  devices_batches: 'queues devices_batch for batches whose server died; deletes old results',
  devices_compare_zones: 'compares how the server and the database know time zones, and warns',
  devices_clean_pairings: 'deletes pairing codes that have run out',
  devices_expire: 'tells devices that their date has come',
  devices_sample: 'counts the devices that are online',
  devices_forget: 'deletes old counts',
  files_examine_pictures: 'examines a content, which belongs to nobody',
  files_examine_videos: 'examines a content, which belongs to nobody',
  files_convert_short: 'converts a content, which belongs to nobody',
  files_convert_long: 'converts a content, which belongs to nobody',
  files_process: 'queues again what an older version queued',
  files_convert: 'queues again what an older version queued',
  files_check: 'measures a content, which belongs to nobody',
  files_clean_blobs: 'deletes contents that nobody needs',
  files_clean_strays: 'deletes bytes that nobody knows',
  files_clean_uploads: 'deletes uploads that nobody completes',
  campaigns_replan: 'plans what campaigns have left; people booked them before',
  campaigns_foresee: 'plans campaigns that lie ahead; people booked them before',
  home_fold_tallies: 'sums up tallies',
  session_clean: 'deletes what has run out',
  campaigns_settle:
    'frees time that nobody uses; standing campaigns follow for the person that booked them, who is asked for',
  releases_send_all: 'queues releases_send for releases whose job was lost; forgets those that were withdrawn',
  releases_withdraw: 'notifies devices of what was withdrawn before',
  releases_withdraw_all: 'queues releases_withdraw for withdrawals whose job was lost',
  takeovers_end: 'withdraws takeovers whose time is over',
  takeovers_settle: 'makes what people started before a part of manifests; scope is checked again',
  releases_end: 'withdraws releases whose schedule is over',
  player_keep_plays: 'makes and drops partitions',
};

/** Answers that are written from one query, which looks at the scope, or are the same for everybody. */
const AT_ONCE: Record<string, string> = {
  'devices.template': 'the same for everybody',
  'devices.getScreenshot': 'one picture, found in scope by the query that reads it',
};

const run = async (name: JobName, payload: object = {}): Promise<void> => {
  const task = tasks[name];
  if (!task) throw new Error(`there is no task ${name}`);
  await (typeof task === 'function' ? task : task.run)(payload, server.deps.stopping, true);
};

const JOBS = jobs(server, run);
const COMMANDS = commands(server);
const ANSWERS = answers(server);
const EFFECTS: Record<string, Effect> = { ...JOBS, ...COMMANDS, ...ANSWERS, ...others(server) };

let bystanders: Bystanders;
beforeAll(async () => {
  bystanders = await gatherBystanders(server);
});

/** Events between an order and its effect. */
const EVENTS: Record<keyof Effect['after'] | 'nothing', (scene: Scene) => Promise<void>> = {
  nothing: async () => undefined,
  disabled: async ({ actor: { user } }) => {
    const body = { disabled: true, remark: 'left' };
    dataOf(await bystanders.root.calls.users.update({ params: { id: user.id }, body }));
  },
  demoted: async ({ actor: { user } }) => {
    dataOf(await bystanders.root.calls.users.update({ params: { id: user.id }, body: { role: 'member' } }));
  },
  deleted: async ({ actor: { user } }) => {
    dataOf(await bystanders.root.calls.users.delete({ params: { id: user.id } }));
  },
  reassigned: async (scene) => {
    for (const id of await scene.deviceIds()) {
      const body = { ownerId: bystanders.buyer.user.id };
      dataOf(await bystanders.root.calls.devices.update({ params: { id }, body }));
    }
  },
  fileDeleted: async (scene) => {
    const { regions } = await scene.ad();
    const reply = await bystanders.root.calls.files.delete({ params: { id: regions.full?.[0]?.fileId ?? '' } });
    // While a release shows it, it stays.
    expect(['FILE_IN_USE', undefined]).toContain(reply.error);
  },
};

test('every job that acts for a user has a row here; the others state why they need none', () => {
  expect([...Object.keys(JOBS), ...Object.keys(HOUSEWORK)].toSorted()).toEqual(Object.keys(tasks).toSorted());
});

test('every long answer to a person is here, or has the reason why it is written at once', () => {
  const long = Object.entries(routes).flatMap(([feature, table]) =>
    Object.entries(table).flatMap(([name, { access, response }]: [string, Route]) =>
      ['user', 'leading'].includes(access) && isRaw(response) ? [`${feature}.${name}`] : [],
    ),
  );
  expect([...Object.keys(ANSWERS), ...Object.keys(AT_ONCE)].toSorted()).toEqual(long.toSorted());
});

const CELLS = Object.entries(EFFECTS).flatMap(([name, { after }]) => [
  { name, event: 'nothing' as const, outcome: 'happens' as const },
  ...Object.entries(after).map(([event, outcome]) => ({ name, event: event as keyof Effect['after'], outcome })),
]);

test.each(CELLS.filter(({ outcome }) => outcome === 'happens' || outcome === 'stops'))(
  '$name, $event in between: $outcome',
  async ({ name, event, outcome }) => {
    const scene = await Scene.begin(server, bystanders);
    const takeEffect = await EFFECTS[name]?.order(scene);
    await EVENTS[event](scene);
    expect(await takeEffect?.()).toBe(outcome === 'happens');
  },
);
