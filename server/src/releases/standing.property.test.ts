import type { GroupFilter } from '@ams/contract';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { AREAS, chance, type ModelDevice, NAMES, randomOf, satisfies } from '../../test/filter-model.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const DEVICES = 16;
const RELEASES = 24;
const CHANGES = 40;

const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const boss = await server.createUser('leading');
const dealer = await server.createUser('leading', boss);
const members = [await server.createUser('member', dealer), await server.createUser('member', boss)];
const people = [boss, dealer, ...members];
const below = new Map<Session, readonly Session[]>([
  [boss, people],
  [dealer, [dealer, ...members.slice(0, 1)]],
  ...members.map((member) => [member, [member]] as const),
]);

test('devices have those standing releases that they match, whatever was changed in which order', async () => {
  const { pick, some, filter } = chance(randomOf(20_261_122));
  const file = await addFile(server, boss, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const ads = new Map<Session, string>();
  for (const by of people) {
    const own =
      by === boss
        ? file
        : await addFile(server, by, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
    ads.set(by, (await addAd(by, 'Ad', own.id)).id);
  }
  const ownerIds = people.map(({ user }) => user.id);

  let made = 0;
  const addDevice = async (): Promise<string> => {
    made += 1;
    const body = {
      mac: `0a${made.toString(16).padStart(10, '0')}`,
      name: pick(NAMES),
      area: pick(AREAS),
      tags: some(4),
      ownerId: pick(ownerIds),
    };
    return dataOf(await boss.calls.devices.create({ body })).id;
  };
  const ids: string[] = [];
  for (let n = 0; n < DEVICES / 2; n += 1) ids.push(await addDevice());

  const releases: {
    id: string;
    by: Session;
    of: Session;
    filter: GroupFilter;
    further: GroupFilter;
    group?: string;
  }[] = [];
  for (let n = 0; n < RELEASES; n += 1) {
    const by = pick(people);
    const of = pick(below.get(by) ?? []);
    const wanted = filter(ownerIds);
    const group =
      n % 2 === 0 ? dataOf(await of.calls.groups.create({ body: { name: 'Group', filter: wanted } })).id : undefined;
    const further = n % 4 === 0 ? filter(ownerIds) : {};
    const body = { devices: { filter: group === undefined ? wanted : { ...further, group } }, standing: true };
    const { id } = dataOf(await by.calls.ads.release({ params: { id: ads.get(by) ?? '' }, body }));
    releases.push({
      id,
      by,
      of: group === undefined ? by : of,
      filter: wanted,
      further,
      ...(group !== undefined && { group }),
    });
  }

  const changes = [
    () => boss.calls.devices.update({ params: { id: pick(ids) }, body: { tags: some(4) } }),
    () => boss.calls.devices.update({ params: { id: pick(ids) }, body: { area: pick(AREAS), name: pick(NAMES) } }),
    () => boss.calls.devices.update({ params: { id: pick(ids) }, body: { ownerId: pick(ownerIds), tags: some(3) } }),
    () => boss.calls.batches.start({ body: { ids: ids.slice(3, 9), action: 'tag', add: some(1), remove: some(1) } }),
    () => boss.calls.batches.start({ body: { filter: filter(ownerIds), action: 'reassign', ownerId: pick(ownerIds) } }),
    async () => ids.push(await addDevice()),
    async () => {
      const changed = pick(releases.filter(({ group }) => group !== undefined));
      changed.filter = filter(ownerIds);
      dataOf(await boss.calls.groups.update({ params: { id: changed.group ?? '' }, body: { filter: changed.filter } }));
    },
  ];
  for (let n = 0; n < CHANGES; n += 1) await pick(changes)();

  const devices = dataOf(await boss.calls.devices.list({ query: { limit: 100 } })).items;
  const expected = ({ by, of, filter: wanted, further }: (typeof releases)[number]): string[] =>
    devices
      .filter((device) => {
        const isMine = (who: Session) => (below.get(who) ?? []).some(({ user }) => user.id === device.owner.id);
        const read: ModelDevice = { ...device, paired: device.pairedAt !== null };
        return isMine(by) && isMine(of) && satisfies(read, wanted) && satisfies(read, further);
      })
      .map(({ id }) => id)
      .toSorted();
  for (const release of releases) {
    const query = { limit: 100 };
    const { items } = dataOf(await boss.calls.releases.listDevices({ params: { id: release.id }, query }));
    const { filter: wanted, further } = release;
    const found = items.map(({ id }) => id).toSorted();
    expect({ wanted, further, found }).toEqual({ wanted, further, found: expected(release) });
  }
});
