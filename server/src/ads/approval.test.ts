import type { Ad, Release, releases } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { addAd } from '../../test/ads.ts';
import { addColleague } from '../../test/colleague.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

type Sort = z.input<typeof releases.list.query>['sort'];

const server = await startTestServer();
let dealer: Session;
let customer: Session;
let device: Awaited<ReturnType<typeof pairedDevice>>;
let files: string[];
let ad: Ad;

beforeAll(async () => {
  dealer = await server.createUser('leading');
});

const needApproval = async (releasesNeedApproval: boolean) =>
  dataOf(await dealer.calls.users.update({ params: { id: customer.user.id }, body: { releasesNeedApproval } }));

beforeEach(async () => {
  customer = await server.createUser('member', dealer);
  device = await pairedDevice(server, customer);
  const wishes = { name: 'a.mp4', orientation: 'vertical', kind: 2 };
  files = [];
  for (const seed of [1, 2]) files.push((await addFile(server, customer, await makeMp4(seed), wishes)).id);
  ad = await addAd(customer, 'Autumn', files[0] ?? '');
  await needApproval(true);
});

const params = ({ id }: { id: string }) => ({ params: { id } });
const request = async (body: object = {}): Promise<Release> =>
  dataOf(await customer.calls.ads.release({ ...params(ad), body: { devices: { ids: [device.device.id] }, ...body } }));
const approve = (release: Release, by = dealer) => by.calls.ads.approve(params(release));
const read = async (release: Release) => dataOf(await customer.calls.releases.get(params(release)));

/** The releases in the manifest of the device. */
const shown = async (): Promise<string[]> => (await device.manifest()).screens.main.map(({ releaseId }) => releaseId);

const edit = async () => {
  const { updatedAt } = dataOf(await customer.calls.ads.get(params(ad)));
  const regions = { full: [{ kind: 'file' as const, fileId: files[1] ?? '' }] };
  const body = { name: 'Autumn', orientation: 'vertical' as const, split: 'full' as const, regions, updatedAt };
  return dataOf(await customer.calls.ads.update({ ...params(ad), body }));
};

test('a release of a customer waits until somebody above approves it', async () => {
  const release = await request();
  expect(release).toMatchObject({ approval: { state: 'requested', devices: 1, changed: false }, withdrawnAt: null });
  expect(await shown()).toEqual([]);
  const waiting = dataOf(
    await dealer.calls.releases.list({ query: { approval: 'requested', owner: customer.user.id } }),
  );
  expect(waiting.items).toEqual([release]);

  const approved = dataOf(await approve(release));
  expect(approved).toMatchObject({ id: release.id, counts: { total: 1 }, approval: { state: 'approved' } });
  expect(await shown()).toEqual([release.id]);
  expect((await approve(release)).error).toBe('CHANGED_MEANWHILE');
});

test.each([
  ['on all devices, and on later ones', { devices: { filter: {} }, standing: true }],
  ['on a schedule', { schedule: { from: '2026-01-01', to: '2099-01-01' } }],
  ['in steps', { stages: [{ percent: 50 }, { percent: 100 }] }],
])('a release %s waits as well, and begins as it was ordered', async (_how, order) => {
  const release = await request(order);
  expect(await shown()).toEqual([]);
  dataOf(await approve(release));
  expect(await shown()).toEqual([release.id]);
  if ('standing' in order) {
    const later = await pairedDevice(server, customer);
    expect((await later.manifest()).screens.main).toHaveLength(1);
  }
});

test('neither the customer nor a colleague of the customer approves, nor a stranger', async () => {
  const release = await request();
  const colleague = await addColleague(server, customer, 'operator');
  const stranger = await server.createUser('leading');
  expect((await approve(release, customer)).error).toBe('LEADING_ONLY');
  expect((await colleague.calls.ads.approve(params(release))).error).toBe('LEADING_ONLY');
  expect((await approve(release, stranger)).error).toBe('NOT_FOUND');
  // Not even with a better role than before.
  dataOf(await dealer.calls.users.update({ ...params(customer.user), body: { role: 'leading' } }));
  expect((await approve(release, customer)).error).toBe('NOT_APPROVABLE');
  expect(await shown()).toEqual([]);
});

test('the customer sees the remark of a rejection, and nothing is released', async () => {
  const release = await request();
  dataOf(await dealer.calls.releases.reject({ ...params(release), body: { remark: 'Too loud' } }));
  expect((await read(release)).approval).toMatchObject({ state: 'rejected', remark: 'Too loud' });
  expect((await approve(release)).error).toBe('CHANGED_MEANWHILE');
  expect(await shown()).toEqual([]);
});

/** The number on the customer's home page, and the list that it leads to. */
const rejected = async (): Promise<{ counted: number; listed: string[] }> => {
  const { rejectedReleases } = dataOf(await customer.calls.home.summary());
  const query = { approval: 'rejected', open: 'true' } as const;
  const { items } = dataOf(await customer.calls.releases.list({ query }));
  return { counted: rejectedReleases, listed: items.map(({ id }) => id) };
};

test.each([
  ['requested again', request],
  [
    'released by the dealer',
    async () =>
      dataOf(await dealer.calls.ads.release({ ...params(ad), body: { devices: { ids: [device.device.id] } } })),
  ],
])('a rejected release is counted for its customer until its ad is %s', async (_how, again) => {
  const release = await request();
  expect(await rejected()).toEqual({ counted: 0, listed: [] });
  dataOf(await dealer.calls.releases.reject({ ...params(release), body: { remark: 'Too loud' } }));
  expect(await rejected()).toEqual({ counted: 1, listed: [release.id] });
  expect(dataOf(await dealer.calls.home.summary()).rejectedReleases).toBe(0);
  await again();
  expect(await rejected()).toEqual({ counted: 0, listed: [] });
  const all = dataOf(await customer.calls.releases.list({ query: { approval: 'rejected' } }));
  expect(all.items.map(({ id }) => id)).toEqual([release.id]);
});

test('requests are sorted by ad, customer and time, page by page', async () => {
  const { id } = await request();
  const other = await server.createUser('member', dealer);
  dataOf(await dealer.calls.users.update({ params: { id: other.user.id }, body: { releasesNeedApproval: true } }));
  const { device: screen } = await pairedDevice(server, other);
  const file = await addFile(server, other, await makeMp4(3), { name: 'b.mp4', orientation: 'vertical', kind: 2 });
  const winter = await addAd(other, 'Winter', file.id);
  const later = dataOf(await other.calls.ads.release({ ...params(winter), body: { devices: { ids: [screen.id] } } }));
  const idsBy = async (sort: Sort) => {
    const query = { approval: 'requested', sort, limit: 1 } as const;
    const first = dataOf(await dealer.calls.releases.list({ query: { ...query, owner: customer.user.id } }));
    expect(first.items.map((each) => each.id)).toEqual([id]);
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && ids.length < 50;) {
      const page = dataOf(await dealer.calls.releases.list({ query: { ...query, ...(cursor && { cursor }) } }));
      ids.push(...page.items.map((each) => each.id));
      cursor = page.next;
    }
    return ids.filter((each) => each === id || each === later.id);
  };
  const byName = [customer, other].toSorted((a, b) => (a.user.username < b.user.username ? -1 : 1));
  const byUser = byName[0] === customer ? [id, later.id] : [later.id, id];
  expect(await idsBy('name')).toEqual([id, later.id]);
  expect(await idsBy('-name')).toEqual([later.id, id]);
  expect(await idsBy('operator')).toEqual(byUser);
  expect(await idsBy('-operator')).toEqual(byUser.toReversed());
  expect(await idsBy('releasedAt')).toEqual([id, later.id]);
  expect(await idsBy('-releasedAt')).toEqual([later.id, id]);
});

test('a rejected release is no longer counted after two weeks', async () => {
  const release = await request();
  dataOf(await dealer.calls.releases.reject({ ...params(release), body: { remark: 'Too loud' } }));
  const decided = (days: number) =>
    sql`update release_requests set decided_at = now() - make_interval(days => ${days}, mins => 1)
      where id = ${release.id}`.execute(server.deps.db);
  await decided(13);
  expect(await rejected()).toEqual({ counted: 1, listed: [release.id] });
  await decided(14);
  expect(await rejected()).toEqual({ counted: 0, listed: [] });
});

test('requests are found by a part of the name of their ad', async () => {
  const release = await request();
  const found = async (q: string) =>
    dataOf(await customer.calls.releases.list({ query: { approval: 'requested', q } })).items.map(({ id }) => id);
  expect(await found('utum')).toEqual([release.id]);
  expect(await found('Winter')).toEqual([]);
  expect(await found('%')).toEqual([]);
});

test('an ad that changed after the request needs a new one', async () => {
  const release = await request();
  await edit();
  expect((await read(release)).approval).toMatchObject({ changed: true });
  expect((await approve(release)).error).toBe('CHANGED_MEANWHILE');
  expect(await shown()).toEqual([]);
});

test('a file that has another name by now is the content that was requested', async () => {
  const release = await request();
  dataOf(await customer.calls.files.update({ params: { id: files[0] ?? '' }, body: { name: 'autumn.mp4' } }));
  expect((await read(release)).approval).toMatchObject({ changed: false });
  dataOf(await approve(release));
  expect(await shown()).toEqual([release.id]);
});

test('the update of devices waits, and they keep what was approved until then', async () => {
  const first = await request();
  dataOf(await approve(first));
  await edit();
  const update = async () => dataOf(await customer.calls.ads.updateDevices({ ...params(ad), body: {} }));
  const earlier = (await update()).releases[0];
  const { devices, releases } = await update();
  const [release] = releases;
  if (!release || !earlier) throw new Error('nothing was requested');
  expect({ devices, approval: release.approval }).toMatchObject({ devices: 0, approval: { state: 'requested' } });
  // The newer request takes the place of the earlier one.
  expect((await approve(earlier)).error).toBe('NOT_APPROVABLE');
  expect(await shown()).toEqual([first.id]);
  dataOf(await approve(release));
  const [now, ...others] = await shown();
  expect(others).toEqual([]);
  expect(now).not.toBe(first.id);
});

test('an update that would change nothing is not requested', async () => {
  const order = { devices: { filter: { owner: customer.user.id } }, standing: true };
  dataOf(await dealer.calls.ads.release({ ...params(ad), body: order }));
  await edit();
  const answer = dataOf(await customer.calls.ads.updateDevices({ ...params(ad), body: {} }));
  expect(answer).toEqual({ devices: 0, releases: [] });
});

test('turning the setting off approves nothing that waits', async () => {
  const release = await request();
  await needApproval(false);
  expect((await read(release)).approval?.state).toBe('requested');
  expect(await shown()).toEqual([]);
  const direct = await request();
  expect(direct.approval).toBeNull();
  expect(await shown()).toEqual([direct.id]);
});

test('undoing a request takes it back, and undoing that lets it wait again', async () => {
  const undo = (release: Release, by = customer) => by.calls.releases.restore(params(release));
  const release = await request();
  expect((await undo(release, dealer)).error).toBe('UNDO_OVER');
  expect(dataOf(await undo(release)).approval?.state).toBe('withdrawn');
  expect((await approve(release)).error).toBe('NOT_APPROVABLE');

  expect((await undo(release, dealer)).error).toBe('UNDO_OVER');
  expect((await undo(release, await server.createUser('member'))).error).toBe('NOT_FOUND');
  expect(dataOf(await undo(release)).approval).toMatchObject({ state: 'requested', decidedBy: null });
  dataOf(await approve(release));
  expect(await shown()).toEqual([release.id]);
  expect((await undo(release)).error).toBe('UNDO_OVER');
});

test('a request can be undone for a minute, unless it was decided or replaced', async () => {
  const undo = (release: Release) => customer.calls.releases.restore(params(release));
  const late = await request();
  await sql`update release_requests set requested_at = now() - interval '61 seconds' where id = ${late.id}`.execute(
    server.deps.db,
  );
  expect((await undo(late)).error).toBe('UNDO_OVER');
  dataOf(await dealer.calls.releases.reject({ ...params(late), body: { remark: 'Too loud' } }));
  expect((await undo(late)).error).toBe('UNDO_OVER');

  const first = await request();
  dataOf(await approve(first));
  await edit();
  const update = async () => {
    const [waiting] = dataOf(await customer.calls.ads.updateDevices({ ...params(ad), body: {} })).releases;
    if (!waiting) throw new Error('nothing was requested');
    return waiting;
  };
  const earlier = await update();
  const later = await update();
  expect((await undo(earlier)).error).toBe('UNDO_OVER');
  expect(dataOf(await undo(later)).approval?.state).toBe('withdrawn');
});

test('a request that is taken back, of a disabled customer or for devices of others is not approved', async () => {
  const taken = await request();
  expect(dataOf(await customer.calls.releases.withdraw(params(taken))).approval?.state).toBe('withdrawn');
  expect((await approve(taken)).error).toBe('NOT_APPROVABLE');

  const release = await request();
  const change = (disabled: boolean) =>
    dealer.calls.users.update({ ...params(customer.user), body: { disabled, ...(disabled && { remark: 'Late' }) } });
  dataOf(await change(true));
  expect((await approve(release)).error).toBe('NOT_APPROVABLE');
  dataOf(await change(false));
  dataOf(await dealer.calls.devices.update({ ...params(device.device), body: { ownerId: dealer.user.id } }));
  expect((await approve(release)).error).toBe('NOT_APPROVABLE');
  expect(await shown()).toEqual([]);
});

test('of two approvals at once one goes through', async () => {
  const release = await request();
  const answers = await Promise.all([approve(release), approve(release)]);
  expect(answers.map(({ error }) => error).toSorted()).toEqual(['CHANGED_MEANWHILE', undefined]);
  expect(await shown()).toEqual([release.id]);
});

test('a deleted customer leaves no request', async () => {
  const release = await request();
  dataOf(await dealer.calls.users.delete(params(customer.user)));
  expect((await approve(release)).error).toBe('NOT_APPROVABLE');
});

test('releases of leading users need no approval', async () => {
  const body = { releasesNeedApproval: true };
  const sub = await server.createUser('leading', dealer);
  expect((await dealer.calls.users.update({ ...params(sub.user), body })).error).toBe('INVALID');
  const own = dataOf(await dealer.calls.ads.release({ ...params(ad), body: { devices: { ids: [device.device.id] } } }));
  expect(own.approval).toBeNull();
  expect(await shown()).toEqual([own.id]);
});

test('a customer who leads for a while is not shown as one whose releases need approval', async () => {
  const become = async (role: 'leading' | 'member') =>
    dataOf(await dealer.calls.users.update({ ...params(customer.user), body: { role } })).releasesNeedApproval;
  expect(await become('leading')).toBe(false);
  expect((await request()).approval).toBeNull();
  expect(await become('member')).toBe(true);
  expect((await request()).approval).toMatchObject({ state: 'requested' });
});
