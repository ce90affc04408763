import type { CampaignBody, Envelope, ErrorName, Release } from '@ams/contract';
import { settleCampaigns } from '../src/campaigns/settle.service.ts';
import {
  addCustomer,
  addGroup,
  addModelAd,
  type ModelAd,
  replaceFile,
  sentContents,
  shownContents,
  type World,
} from './approval-world.ts';
import { randomOf } from './filter-model.ts';
import { dataOf } from './server.ts';

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
  'FILE_IN_USE',
  'FILE_GONE',
  'GROUP_IN_USE',
];

const STEPS = 20;
const LIKELY = [
  ...['request', 'approve', 'editAd', 'approve', 'updateDevices'],
  ...['release', 'approveRelease', 'updateDevices', 'approveRelease'],
] as const;

/** What shows in a campaign: an ad with the content that was approved. */
interface Shown {
  ad: ModelAd;
  content: string;
}

export interface ModelCampaign {
  id: string;
  ads: ModelAd[];
  /** What was requested: content and version of each ad; undefined after a change. */
  requested?: { content: string; version: number }[] | undefined;
  /** What was approved; undefined when it ended. */
  approved?: Shown[] | undefined;
}

/** A release of the customer, or the request of one; `update`: of the devices that have an earlier version. */
export interface ModelRelease {
  id: string;
  ad: ModelAd;
  version: number;
  state: 'requested' | 'update' | 'live' | 'over';
  /** What was approved for its devices. */
  contents: string[];
}

export interface Model {
  campaigns: ModelCampaign[];
  releases: ModelRelease[];
}

/** One of these, by chance. */
export function oneOf<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
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

export type Steps = ReturnType<typeof stepsOf>;
export type StepName = keyof Steps;

/** The steps of a sequence, each with what the model makes of it. */
export function stepsOf(world: World, { campaigns, releases }: Model, random: () => number) {
  const { server, dealer, other, devices } = world;
  const pick = <T>(all: readonly T[]): T => oneOf(all, random);
  const someAds = () => (random() < 0.5 ? [pick(world.ads)] : [...world.ads]);
  const write = (ads: ModelAd[]) => bodyOf(world, ads);
  const params = ({ id }: { id: string }) => ({ params: { id } });
  const approvedOf = ({ ads }: ModelCampaign, requested: ModelCampaign['requested']): Shown[] =>
    ads.flatMap((ad, index) => {
      const content = requested?.[index]?.content;
      return content === undefined ? [] : [{ ad, content }];
    });
  /** What has an ad gets its content of now. */
  const renew = (ad: ModelAd): void => {
    for (const release of releases) {
      if (release.ad === ad && release.state === 'live') release.contents.push(ad.content);
    }
  };
  const remember = (release: Release, ad: ModelAd, update: boolean): void => {
    if ((release.approval !== null) !== world.needsApproval) throw new Error('released without approval, or waits');
    const { content, version } = ad;
    const state = release.approval === null ? 'live' : update ? 'update' : 'requested';
    releases.push({ id: release.id, ad, version, state, contents: state === 'live' ? [content] : [] });
  };
  const requestOf = async (campaign: ModelCampaign): Promise<void> => {
    if (!went(await world.customer.calls.campaigns.request(params(campaign)))) return;
    campaign.requested = campaign.ads.map(({ content, version }) => ({ content, version }));
  };
  const end = (ended: (release: ModelRelease) => boolean): void => {
    for (const release of releases) if (ended(release)) Object.assign(release, { state: 'over', contents: [] });
  };
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
    request: () => requestOf(pick(campaigns)),
    async order() {
      await this.create();
      const campaign = campaigns.at(-1);
      if (campaign) await requestOf(campaign);
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
      campaign.approved = approvedOf(campaign, campaign.requested);
    },
    async approveWhileEditing() {
      const campaign = pick(campaigns);
      const { requested } = campaign;
      const wasIntact = isIntact(campaign);
      const [approved] = await Promise.all([dealer.calls.campaigns.approve(params(campaign)), this.editAd()]);
      if (!went(approved)) return;
      if (!wasIntact) throw new Error('approved after a change');
      campaign.approved = approvedOf(campaign, requested);
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
      const file = pick(world.files);
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
      end((release) => release.ad === ad);
      for (const campaign of campaigns) campaign.approved = campaign.approved?.filter((shown) => shown.ad !== ad);
      world.ads.splice(world.ads.indexOf(ad), 1, await addModelAd(world, Math.floor(random() * world.files.length)));
    },
    async updateDevices() {
      const ad = pick(world.ads);
      const by = pick([world.customer, dealer]);
      const answer = await by.calls.ads.updateDevices({ ...params(ad), body: {} });
      if (!went(answer)) return;
      const [first] = dataOf(answer).releases;
      if (by === dealer || !world.needsApproval) return renew(ad);
      if (!first) return;
      end((release) => release.ad === ad && release.state === 'update');
      remember(first, ad, true);
    },
    async release() {
      const ad = pick(world.ads);
      const ids = devices.map(({ device }) => device.id).slice(1);
      const where = random() < 0.3 ? { devices: { filter: {} }, standing: true } : { devices: { ids } };
      const answer = await world.customer.calls.ads.release({ ...params(ad), body: { ...where, replace: false } });
      if (went(answer)) remember(dataOf(answer), ad, false);
    },
    async approveRelease() {
      if (releases.length === 0) return;
      const release = pick(releases);
      const { ad, state, version } = release;
      const answers = await Promise.all([
        dealer.calls.ads.approve(params(release)),
        dealer.calls.ads.approve(params(release)),
      ]);
      const approvals = answers.filter(went).length;
      if (approvals === 0) return;
      const isWaiting = state === 'requested' || state === 'update';
      if (approvals > 1 || !isWaiting || !world.ads.includes(ad) || version !== ad.version) {
        throw new Error(`a release that is ${state} was approved ${approvals} times, or after a change`);
      }
      if (state === 'update') renew(ad);
      Object.assign(release, state === 'update' ? { state: 'over' } : { state: 'live', contents: [ad.content] });
    },
    async approveOwnRelease() {
      if (releases.length === 0) return;
      const release = pick(releases);
      if (went(await world.customer.calls.ads.approve(params(release)))) throw new Error('a customer approved');
      if (went(await other.calls.ads.approve(params(release)))) throw new Error('a stranger approved');
    },
    async rejectRelease() {
      if (releases.length === 0) return;
      const release = pick(releases);
      if (!went(await dealer.calls.releases.reject({ ...params(release), body: { remark: 'No' } }))) return;
      if (release.contents.length > 0) throw new Error('what is live was rejected');
      release.state = 'over';
    },
    async revokeReleases() {
      const ad = pick(world.ads);
      const by = pick([world.customer, dealer]);
      for (const query of [
        { ad: ad.id, active: 'true' as const },
        { ad: ad.id, approval: 'requested' as const },
      ]) {
        const { items } = dataOf(await by.calls.releases.list({ query: { ...query, limit: 100 } }));
        // Releases of campaigns are cancelled with their campaign.
        const own = items.filter(({ id, approval }) => approval || releases.some((release) => release.id === id));
        for (const release of query.active ? items.filter(({ schedule }) => schedule === null) : own) {
          dataOf(await by.calls.releases.withdraw(params(release)));
        }
      }
      end((release) => release.ad === ad);
    },
    async toggleApproval() {
      const releasesNeedApproval = !world.needsApproval;
      dataOf(await dealer.calls.users.update({ ...params(world.customer.user), body: { releasesNeedApproval } }));
      world.needsApproval = releasesNeedApproval;
    },
    async deleteFile() {
      const file = pick(world.files);
      if (!went(await world.customer.calls.files.delete(params(file)))) return;
      for (const ad of world.ads) {
        if (ad.content === file.sha256) Object.assign(ad, { content: '', version: ad.version + 1 });
      }
      await replaceFile(world, world.files.indexOf(file));
    },
    async deleteGroup() {
      if (went(await dealer.calls.groups.delete({ params: { id: world.group } }))) world.group = await addGroup(world);
    },
    async deleteCustomer() {
      dataOf(await dealer.calls.users.delete(params(world.customer.user)));
      for (const campaign of campaigns) campaign.requested = undefined;
      end(({ state }) => state !== 'live');
      await addCustomer(world);
    },
    async reassign() {
      const { device } = pick(devices);
      const ownerId = pick([dealer, other, world.customer]).user.id;
      went(await dealer.calls.devices.update({ ...params(device), body: { ownerId } }));
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

/** Nothing is on the devices but what was approved and not revoked. */
export function check(shown: readonly string[], { campaigns, releases }: Model, told: string): boolean {
  const allowed = new Set([
    ...campaigns.flatMap(({ approved }) => approved?.map(({ content }) => content) ?? []),
    ...releases.flatMap(({ contents }) => contents),
  ]);
  const bad = shown.filter((sha256) => !allowed.has(sha256));
  if (bad.length > 0) throw new Error(`${told}: a manifest has ${bad.join(', ')}, which nobody approved`);
  return shown.length > 0;
}

/** A step by chance: most are those whose order matters most. */
export function nextStep(steps: Steps, random: () => number): StepName {
  const names = Object.keys(steps).filter((name): name is StepName => Object.hasOwn(steps, name));
  return oneOf<StepName>(random() < 0.7 ? LIKELY : names, random);
}

/** Ends all that a sequence began. */
async function clear({ dealer }: World, { campaigns }: Model): Promise<void> {
  for (const { id } of campaigns) went(await dealer.calls.campaigns.cancel({ params: { id } }));
  for (const query of [{ active: 'true' as const }, { approval: 'requested' as const }]) {
    const { items } = dataOf(await dealer.calls.releases.list({ query: { ...query, limit: 100 } }));
    for (const { id } of items) went(await dealer.calls.releases.withdraw({ params: { id } }));
  }
}

/**
 * One generated sequence of steps; throws when a manifest ever has what was not approved at that moment. Returns how
 * often something approved was on a device.
 */
export async function runSequence(world: World, seed: number): Promise<number> {
  const random = randomOf(seed);
  const model: Model = { campaigns: [], releases: [] };
  const steps = stepsOf(world, model, random);
  await steps.create();
  const told: string[] = [];
  let shown = 0;
  for (let n = 0; n < STEPS; n += 1) {
    const name = nextStep(steps, random);
    told.push(name);
    try {
      await steps[name]();
    } catch (error) {
      throw new Error(`seed ${seed}: ${told.join(' ')}`, { cause: error });
    }
    if (check(await shownContents(world), model, `seed ${seed}: ${told.join(' ')}`)) shown += 1;
  }
  // What devices really get is what was looked at after each step.
  check(await sentContents(world), model, `seed ${seed}: ${told.join(' ')}`);
  await clear(world, model);
  return shown;
}
