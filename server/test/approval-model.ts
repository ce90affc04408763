import type { CampaignBody, Envelope, ErrorName } from '@ams/contract';
import { settleCampaigns } from '../src/campaigns/settle.service.ts';
import { addAd } from './ads.ts';
import { pairedDevice } from './device.ts';
import { randomOf } from './filter-model.ts';
import { addFile, makeMp4 } from './media.ts';
import { dataOf, type Session, type TestServer } from './server.ts';

/** Answers that a step may have besides success: whatever is refused changes nothing. */
const REFUSALS: readonly ErrorName[] = [
  'NOT_FOUND',
  'CAMPAIGN_STATE',
  'CHANGED_MEANWHILE',
  'NOT_APPROVABLE',
  'NO_ROOM',
  'NO_DEVICES',
  'EMPTY_AD',
  'FORBIDDEN_USER',
  'UNAUTHENTICATED',
  'LEADING_ONLY',
];

const CONTENTS = 5;
const STEPS = 12;
const LIKELY = ['request', 'approve', 'editAd', 'approve', 'updateDevices'] as const;

/** An ad as the model knows it: the content that it shows, and how often it changed. */
interface ModelAd {
  id: string;
  content: string;
  version: number;
}

interface ModelCampaign {
  id: string;
  ads: ModelAd[];
  /** What was requested: content and version of each ad; undefined after a change. */
  requested?: { content: string; version: number }[] | undefined;
  /** Contents that were approved; undefined when it ended. */
  approved?: string[] | undefined;
}

export interface World {
  server: TestServer;
  dealer: Session;
  other: Session;
  customer: Session;
  files: { id: string; sha256: string }[];
  ads: ModelAd[];
  device: Awaited<ReturnType<typeof pairedDevice>>;
  group: string;
}

/** A dealer with a bookable group of one device, and a customer with ads. */
export async function makeWorld(server: TestServer): Promise<World> {
  const dealer = await server.createUser('leading');
  const other = await server.createUser('leading', dealer);
  const customer = await server.createUser('member', dealer);
  const device = await pairedDevice(server, dealer);
  const group = dataOf(
    await dealer.calls.groups.create({
      body: { name: 'City', filter: {}, bookable: true },
    }),
  ).id;
  const files: World['files'] = [];
  for (let n = 0; n < CONTENTS; n += 1) {
    const video = await makeMp4(n, n + 1);
    files.push(await addFile(server, customer, video, { name: 'a.mp4', orientation: 'vertical', kind: 2 }));
  }
  const world = { server, dealer, other, customer, files, ads: [], device, group };
  return { ...world, ads: [await addModelAd(world, 0), await addModelAd(world, 1)] };
}

async function addModelAd({ customer, files }: Pick<World, 'customer' | 'files'>, n: number): Promise<ModelAd> {
  const file = files[n % files.length];
  if (!file) throw new Error('a world has files');
  return { id: (await addAd(customer, 'Ad', file.id)).id, content: file.sha256, version: 0 };
}

/** Whether a step went through; anything but a known refusal ends the test. */
function went(answer: Envelope<unknown>): boolean {
  if (answer.error === undefined) return true;
  if (!REFUSALS.some((name) => name === answer.error)) throw new Error(JSON.stringify(answer));
  return false;
}

const bodyOf = ({ group }: World, ads: readonly ModelAd[]): CampaignBody => ({
  name: 'Autumn',
  adIds: ads.map(({ id }) => id),
  devices: { group },
  schedule: { from: '2026-01-01', to: '2027-12-31' },
  goal: { kind: 'perHour', value: 6 },
  price: { kind: 'fixed', amount: '100', currency: 'EUR' },
});

/** The steps of a sequence, each with what the model makes of it. */
function stepsOf(world: World, campaigns: ModelCampaign[], random: () => number) {
  const { server, dealer, other, files, device } = world;
  const pick = <T>(all: readonly T[]): T => {
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  };
  const someAds = () => (random() < 0.5 ? [pick(world.ads)] : [...world.ads]);
  const write = (ads: ModelAd[]) => bodyOf(world, ads);
  const params = ({ id }: { id: string }) => ({ params: { id } });
  const isIntact = ({ requested, ads }: ModelCampaign): boolean =>
    requested !== undefined &&
    ads.every((ad, index) => world.ads.includes(ad) && requested[index]?.version === ad.version);

  return {
    async create() {
      const ads = someAds();
      const answer = await world.customer.calls.campaigns.create({ body: write(ads) });
      if (went(answer)) campaigns.push({ id: dataOf(answer).id, ads });
    },
    async edit() {
      const campaign = pick(campaigns);
      const ads = someAds();
      if (!went(await world.customer.calls.campaigns.update({ ...params(campaign), body: write(ads) }))) return;
      Object.assign(campaign, { ads, requested: undefined });
    },
    async request() {
      const campaign = pick(campaigns);
      if (!went(await world.customer.calls.campaigns.request(params(campaign)))) return;
      campaign.requested = campaign.ads.map(({ content, version }) => ({ content, version }));
    },
    async approve() {
      const campaign = pick(campaigns);
      const answers = await Promise.all([
        dealer.calls.campaigns.approve(params(campaign)),
        dealer.calls.campaigns.approve(params(campaign)),
      ]);
      const approvals = answers.filter(went).length;
      if (approvals === 0) return;
      if (approvals > 1 || !isIntact(campaign)) throw new Error(`approved ${approvals} times, or after a change`);
      campaign.approved = campaign.requested?.map(({ content }) => content);
    },
    async approveWhileEditing() {
      const campaign = pick(campaigns);
      const { requested } = campaign;
      const wasIntact = isIntact(campaign);
      const [approved] = await Promise.all([dealer.calls.campaigns.approve(params(campaign)), this.editAd()]);
      if (!went(approved)) return;
      if (!wasIntact) throw new Error('approved after a change');
      campaign.approved = requested?.map(({ content }) => content);
    },
    async approveOwn() {
      const campaign = pick(campaigns);
      if (went(await world.customer.calls.campaigns.approve(params(campaign)))) throw new Error('a customer approved');
      if (went(await other.calls.campaigns.approve(params(campaign)))) throw new Error('a stranger approved');
    },
    async reject() {
      const campaign = pick(campaigns);
      if (went(await dealer.calls.campaigns.reject({ ...params(campaign), body: { remark: 'No' } }))) {
        campaign.requested = undefined;
      }
    },
    async revoke() {
      const campaign = pick(campaigns);
      if (!went(await dealer.calls.campaigns.cancel(params(campaign)))) return;
      Object.assign(campaign, { approved: undefined, requested: undefined });
    },
    async delete() {
      const campaign = pick(campaigns);
      if (!went(await world.customer.calls.campaigns.delete(params(campaign)))) return;
      if (campaign.approved) throw new Error('deleted what is booked');
      if (campaigns.length > 1) campaigns.splice(campaigns.indexOf(campaign), 1);
    },
    async editAd() {
      const ad = pick(world.ads);
      const file = pick(files);
      const { updatedAt } = dataOf(await world.customer.calls.ads.get(params(ad)));
      const regions = { full: [{ kind: 'file' as const, fileId: file.id }] };
      const body = { name: 'Ad', orientation: 'vertical' as const, split: 'full' as const, regions, updatedAt };
      if (went(await world.customer.calls.ads.update({ ...params(ad), body }))) {
        Object.assign(ad, { content: file.sha256, version: ad.version + 1 });
      }
    },
    async deleteAd() {
      const ad = pick(world.ads);
      if (!went(await world.customer.calls.ads.delete(params(ad)))) return;
      world.ads.splice(world.ads.indexOf(ad), 1, await addModelAd(world, Math.floor(random() * CONTENTS)));
    },
    async updateDevices() {
      const ad = pick(world.ads);
      const by = pick([world.customer, dealer]);
      went(await by.calls.ads.updateDevices({ ...params(ad), body: {} }));
    },
    async reassign() {
      const ownerId = pick([dealer, other]).user.id;
      went(await dealer.calls.devices.update({ params: { id: device.device.id }, body: { ownerId } }));
    },
    async disable() {
      const { user } = world.customer;
      const change = { params: { id: user.id } };
      dataOf(await dealer.calls.users.update({ ...change, body: { disabled: true, remark: 'Late' } }));
      const isDone = went(await dealer.calls.campaigns.approve(params(pick(campaigns))));
      dataOf(await dealer.calls.users.update({ ...change, body: { disabled: false } }));
      world.customer = await server.login(user.username);
      if (isDone) throw new Error('approved what a disabled customer requested');
    },
    settle: () => settleCampaigns(server.deps),
  };
}

/** Nothing is on the device but what was approved and not revoked. */
async function check({ device }: World, campaigns: readonly ModelCampaign[], told: string): Promise<boolean> {
  const { screens } = await device.manifest();
  const allowed = new Set(campaigns.flatMap(({ approved }) => approved ?? []));
  const shown = [...screens.main, ...screens.secondary].flatMap(({ regions }) =>
    Object.values(regions).flatMap((items) => items.map(({ sha256 }) => sha256)),
  );
  const bad = shown.filter((sha256) => !allowed.has(sha256));
  if (bad.length > 0) throw new Error(`${told}: the manifest has ${bad.join(', ')}, which nobody approved`);
  return shown.length > 0;
}

/**
 * One generated sequence of steps; throws when the manifest ever has what was not approved at that moment. Returns how
 * often something approved was on the device.
 */
export async function runSequence(world: World, seed: number): Promise<number> {
  const random = randomOf(seed);
  const campaigns: ModelCampaign[] = [];
  const steps = stepsOf(world, campaigns, random);
  await steps.create();
  const names = Object.keys(steps).filter((name): name is keyof typeof steps => Object.hasOwn(steps, name));
  const told: string[] = [];
  let shown = 0;
  for (let n = 0; n < STEPS; n += 1) {
    // Most steps are those whose order matters most.
    const name =
      random() < 0.7 ? LIKELY[Math.floor(random() * LIKELY.length)] : names[Math.floor(random() * names.length)];
    if (!name) continue;
    told.push(name);
    await steps[name]();
    if (await check(world, campaigns, `seed ${seed}: ${told.join(' ')}`)) shown += 1;
  }
  for (const { id } of campaigns) went(await world.dealer.calls.campaigns.cancel({ params: { id } }));
  return shown;
}
