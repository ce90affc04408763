import { type JobName, type PauseReason, routes } from '@ams/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { adsRoutes } from './ads/ads.routes.ts';
import { handOverAds, touchAdsShowing } from './ads/ads.service.ts';
import { alertsRoutes } from './alerts/alerts.routes.ts';
import { ALERTS_CRON, alertsTasks, announceReplaced, findAlertsOn } from './alerts/alerts.service.ts';
import { appUploads } from './apps/app-uploads.ts';
import { appContents } from './apps/apps.queries.ts';
import { appsRoutes } from './apps/apps.routes.ts';
import { handOverApps, offerApp, offerOfManifest, publisherChanged, signOffer } from './apps/apps.service.ts';
import { APPS_CRON, appsTasks } from './apps/apps.tasks.ts';
import { contentNames, holdContents, usesOf } from './blobs/blobs.service.ts';
import { openStorage } from './blobs/storage.ts';
import type { AlertLinks } from './alerts/links.ts';
import type { AppLinks } from './apps/links.ts';
import { rejectedCampaigns } from './campaigns/campaigns.queries.ts';
import { campaignsRoutes } from './campaigns/campaigns.routes.ts';
import { REPLAN_CRON, replanTasks } from './campaigns/replan.service.ts';
import { handOverCampaigns, holdCampaignsOf, requireMayEnd } from './campaigns/campaigns.service.ts';
import { sharedStatement } from './campaigns/shared-statement.ts';
import { carriersOf, shortCampaigns } from './campaigns/short.ts';
import { isNeededForStatements } from './campaigns/statement.queries.ts';
import { CAMPAIGNS_CRON, campaignsTasks, checkGroupOfCampaigns } from './campaigns/settle.service.ts';
import { sharedWall } from './devices/shared-wall.ts';
import { batchRoutes } from './devices/batch.routes.ts';
import { measureSets } from './devices/devices.queries.ts';
import { devicesRoutes } from './devices/devices.routes.ts';
import { noteInstalledApp, tellDevicesOf, tellExpired } from './devices/devices.service.ts';
import { DEVICES_CRON, devicesTasks } from './devices/devices.tasks.ts';
import { cleanPairings } from './devices/enrolment.service.ts';
import { handOverDevices } from './devices/hand-over.service.ts';
import { forgetPresence } from './devices/history.ts';
import { offlineOnPurpose } from './devices/dark.service.ts';
import { defaultHoursChanged, forgetPastHours } from './devices/hours.service.ts';
import type { DeviceLinks, StandingLinks } from './devices/links.ts';
import { countOnline, type Pace, Presence } from './devices/presence.service.ts';
import { warnOfDriftedZones } from './devices/zone-drift.ts';
import { fileUploads } from './files/file-uploads.ts';
import { fileContents } from './files/files.queries.ts';
import { filesRoutes } from './files/files.routes.ts';
import { handOverFiles } from './files/files.service.ts';
import { FILES_CRON, filesTasks } from './files/files.tasks.ts';
import { groupsRoutes } from './groups/groups.routes.ts';
import type { GroupLinks } from './groups/links.ts';
import { homeRoutes } from './home/home.routes.ts';
import type { HomeLinks } from './home/links.ts';
import { foldTallies, samplePresence } from './home/tallies.service.ts';
import type { Identities } from './platform/auth/auth.ts';
import type { Db } from './platform/database/database.ts';
import { cleanIdempotencyKeys } from './platform/http/idempotency/once.ts';
import { cleanFailedJobs } from './platform/jobs/counts.ts';
import { mount } from './platform/http/mount.ts';
import { serviceRoutes } from './platform/http/service.routes.ts';
import type { LaneTask, Task } from './platform/jobs/jobs.ts';
import { runSteps } from './platform/jobs/steps.ts';
import { limitAccounts } from './platform/limits/account-limit.ts';
import { cleanRateLimits } from './platform/limits/rate-limit.ts';
import pLimit from 'p-limit';
import type { Deps } from './platform/process/deps.ts';
import { deviceIdentities } from './player/identity.service.ts';
import { dropOldPlays, makePlayPartitions } from './player/keep-plays.service.ts';
import type { PlayerLinks } from './player/links.ts';
import { Manifests } from './player/manifest.service.ts';
import { playerRoutes } from './player/player.routes.ts';
import { answerPolls } from './player/polls.ts';
import { socketRoute } from './player/socket.ts';
import { filesOn, wasSent } from './releases/device-files.service.ts';
import { lockAdsOfUser, lockAdsOn } from './releases/ads.lock.ts';
import { findReleasedFiles, releasedContents } from './releases/released-files.service.ts';
import type { ReleaseLinks } from './releases/links.ts';
import { OVER_CRON, overTasks } from './releases/over.service.ts';
import { rejectedReleases } from './releases/requests.service.ts';
import { releasesRoutes } from './releases/releases.routes.ts';
import {
  handOverReleases,
  lockReleasesOf,
  lockReleasesOn,
  withdrawForeign,
  withdrawFrom,
} from './releases/withdraw.service.ts';
import { restoreReleases } from './releases/restore.service.ts';
import {
  correctStarts,
  deliveryChanged,
  pauseRolloutsOf,
  ROLLOUT_CRON,
  rolloutTasks,
} from './releases/rollout.service.ts';
import { SENDING_CRON, sendingTasks } from './releases/sending.service.ts';
import { lockStanding, shareStanding } from './releases/standing.lock.ts';
import { followGroup, matchDevices, matchReleasesOf, releaseGroup } from './releases/standing.service.ts';
import { reportsRoutes } from './reports/reports.routes.ts';
import { cleanChallenges } from './session/challenges.service.ts';
import { Guesses, WRONG_GUESSES } from './session/guesses.service.ts';
import { cleanBrowsers } from './session/known-browsers.service.ts';
import { TAKEOVER_CRON, takeoverTasks } from './releases/takeover.service.ts';
import { WITHDRAWING_CRON, withdrawingTasks } from './releases/withdrawing.service.ts';
import { sharedReport } from './reports/shared-report.ts';
import { scansRoutes } from './scans/scans.routes.ts';
import { searchRoutes } from './search/search.routes.ts';
import { sessionRoutes, signInRoutes } from './session/session.routes.ts';
import {
  cleanSessions,
  endAccountSessions,
  endSessions,
  resumeSession,
  sessionsIn,
} from './session/session.service.ts';
import type { SharedPages } from './shares/links.ts';
import { sharesRoutes } from './shares/shares.routes.ts';
import { takeoversRoutes } from './takeovers/takeovers.routes.ts';
import { uploadPaths } from './uploads/uploads.openapi.ts';
import { uploadRoutes } from './uploads/uploads.routes.ts';
import { cleanUploadsSoon, UPLOADS_CRON, uploadsTasks } from './uploads/uploads.tasks.ts';
import { cleanColleagueInvitations } from './users/colleague-invitations.service.ts';
import { colleaguesRoutes } from './users/colleagues.routes.ts';
import type { Loss, UserLinks } from './users/links.ts';
import { usersRoutes } from './users/users.routes.ts';
import { ensureRoot } from './users/users.service.ts';

/**
 * Puts the features of the server together: their calls, their jobs, and what one does when something happens
 * in another. Features import each other downwards only; whatever would point up is given here.
 */

export { ensureRoot, makePlayPartitions, openStorage, type Pace, uploadPaths };

/** The features that need stored contents: a content that none of them needs is removed. */
const CONTENT_USES = [fileContents, appContents, releasedContents];

/** The stored contents, for a backup. */
export const storedContents = {
  hold: holdContents,
  names: contentNames,
  /** The names under which people know these contents. */
  usesOf: (db: Db, sha256s: string[]) => usesOf(db, CONTENT_USES, sha256s),
};

const FILE_LINKS = { findReleased: findReleasedFiles, beforeDelete: touchAdsShowing, wasSent };

const APP_LINKS: AppLinks = { tellDevices: tellDevicesOf, noteInstalledApp };

const STANDING_LINKS: StandingLinks = { shareStanding, matchDevices };

export const PLAYER_LINKS: PlayerLinks = {
  offerOfManifest,
  signOffer,
  offerApp: (deps, deviceId, installed) => offerApp(deps, APP_LINKS, deviceId, installed),
  deliveryChanged,
  correctStarts,
  ...STANDING_LINKS,
};

export const HOME_LINKS: HomeLinks = { offlineOnPurpose, rejectedReleases, rejectedCampaigns };

export const ALERT_LINKS: AlertLinks = { shortCampaigns, carriersOf };

export const RELEASE_LINKS: ReleaseLinks = { requireMayEnd };

const GROUP_LINKS: GroupLinks = {
  measure: measureSets,
  lockStanding,
  filterChanged: async (trx, groupId, filter) => {
    await checkGroupOfCampaigns(trx, groupId, filter);
    await followGroup(trx, groupId, filter);
  },
  beforeDelete: async (trx, viewer, groupId) =>
    releaseGroup(trx, viewer, groupId, await findAlertsOn(trx, viewer, groupId)),
};

/** The pages that links show to people without an account. */
const SHARED_PAGES: SharedPages = { report: sharedReport, wall: sharedWall, statement: sharedStatement };

const deviceLinks = ({ signer }: Pick<Deps, 'signer'>): DeviceLinks => ({
  filesOn: (db, device) => filesOn(db, signer, device),
  withdrawFrom,
  lockAdsOn,
  lockReleasesOn,
  withdrawForeign,
  restoreReleases,
  ...STANDING_LINKS,
  replaced: announceReplaced,
});

const PAUSE_REASONS = {
  disabled: 'operatorDisabled',
  demoted: 'operatorDemoted',
  deleted: 'operatorDeleted',
} as const satisfies Record<Loss, PauseReason>;

/** Holds all that goes to the heir of a user before any of it changes, in the order of every change. */
async function holdThingsOf(trx: Db, userId: string): Promise<void> {
  await lockAdsOfUser(trx, userId);
  await lockStanding(trx);
  await holdCampaignsOf(trx, userId);
  await lockReleasesOf(trx, userId);
}

/** The effects of a change to a user on the other features. */
export const USER_LINKS: UserLinks = {
  async authorityEnded(trx, viewer, id, loss) {
    if (loss === 'deleted') await holdThingsOf(trx, id);
    else await lockStanding(trx);
    if (loss !== 'demoted') await endAccountSessions(trx, id);
    // Nobody can complete the uploads of a deleted user.
    if (loss === 'deleted') await cleanUploadsSoon(trx);
    await pauseRolloutsOf(trx, viewer, id, PAUSE_REASONS[loss]);
  },
  endSessions: (trx, personId) => endSessions(trx, personId),
  async authorityChanged(trx, id) {
    await publisherChanged(APP_LINKS, trx, id);
    await matchReleasesOf(trx, id);
  },
  merchantChanged: tellDevicesOf,
  defaultHoursChanged,
  handOverPublished: (trx, id, heir) => handOverApps(APP_LINKS, trx, id, heir),
  async handOver(trx, viewer, id, heir) {
    await handOverFiles(trx, id, heir);
    await handOverAds(trx, id, heir);
    await handOverCampaigns(trx, id, heir);
    await handOverReleases(trx, id, heir);
    const links = { lockReleasesOn, withdrawForeign, ...STANDING_LINKS };
    await handOverDevices(trx, links, viewer.id, sql<boolean>`d.owner_id = ${id}`, heir);
  },
};

/** The identities that tokens belong to: the session of a user, or a device. */
export function identitiesOf(deps: Pick<Deps, 'db' | 'events' | 'signer'>, callsPerMinute: number): Identities {
  const { db, events } = deps;
  const sessions = sessionsIn(db);
  const limit = limitAccounts(callsPerMinute);
  return {
    user: (token) => resumeSession(deps, sessions, token, limit),
    ...deviceIdentities(db, events),
  };
}

/**
 * The presence of the devices that are connected to this process; not yet started.
 * @param pulse a database connection for its heartbeat alone
 * @param onSilence called when the database neither answers nor breaks its connections
 */
export function openPresence(deps: Deps, pulse: Db, onSilence: () => void, pace: Partial<Pace>): Presence {
  const { db, metrics, processId, log } = deps;
  metrics.gauge('ams_devices_online', 'Devices that are online, at any process', async () => [
    { value: await countOnline(db) },
  ]);
  return new Presence(db, pulse, processId, log, onSilence, pace);
}

/** Adds the calls of all features to the HTTP application. */
export async function mountFeatures(app: FastifyInstance, deps: Deps, presence: Presence): Promise<void> {
  const manifests = new Manifests(deps, PLAYER_LINKS);
  if (deps.config.fastPolls) answerPolls(app.server, deps, manifests);
  await app.register(async (api) => mountRoutes(api, deps, presence, manifests));
}

/** Database connections available to reporting devices; the others remain for operators. */
const REPORTS_AT_ONCE = 12;

function mountRoutes(app: FastifyInstance, deps: Deps, presence: Presence, manifests: Manifests): void {
  const device = deviceLinks(deps);
  const { socket: _socket, ...player } = routes.player;
  const limitReports = pLimit(REPORTS_AT_ONCE);
  const guesses = new Guesses(app.createRateLimit(WRONG_GUESSES));
  mount(app, routes.session, sessionRoutes(deps, guesses), deps);
  mount(app, routes.users, { ...usersRoutes(deps, USER_LINKS), ...signInRoutes(deps, guesses) }, deps);
  mount(app, routes.colleagues, colleaguesRoutes(deps, USER_LINKS), deps);
  mount(app, routes.home, homeRoutes(deps, HOME_LINKS), deps);
  mount(app, routes.devices, devicesRoutes(deps, device), deps);
  mount(app, routes.batches, batchRoutes(deps, device), deps);
  mount(app, routes.groups, groupsRoutes(deps, GROUP_LINKS), deps);
  mount(app, routes.files, filesRoutes(deps, FILE_LINKS), deps);
  mount(app, routes.ads, adsRoutes(deps, RELEASE_LINKS), deps);
  mount(app, routes.releases, releasesRoutes(deps, RELEASE_LINKS), deps);
  mount(app, routes.takeovers, takeoversRoutes(deps), deps);
  mount(app, routes.campaigns, campaignsRoutes(deps, SHARED_PAGES), deps);
  mount(app, routes.scans, scansRoutes(deps), deps);
  mount(app, routes.reports, reportsRoutes(deps), deps);
  mount(app, routes.search, searchRoutes(deps), deps);
  mount(app, routes.shares, sharesRoutes(deps, SHARED_PAGES), deps);
  mount(app, routes.apps, appsRoutes(deps, APP_LINKS), deps);
  mount(app, routes.alerts, alertsRoutes(deps), deps);
  mount(app, player, playerRoutes(deps, manifests, { limitReports, presence }, PLAYER_LINKS), deps);
  mount(app, routes.service, serviceRoutes(deps), deps);
  socketRoute(app, { deps, manifests, links: PLAYER_LINKS, limitReports }, presence);
  void app.register(async (scope) => uploadRoutes(scope, deps, [fileUploads(deps), appUploads(deps)]));
}

/** All jobs by name. Those that act for a person ask `requireActor`; `server/test/effects.test.ts` has each of them. */
export const tasksOf = (deps: Deps): Record<JobName, Task | LaneTask> => ({
  ...filesTasks(deps, CONTENT_USES),
  ...uploadsTasks(deps),
  ...devicesTasks(deps, deviceLinks(deps)),
  ...houseTasks(deps),
  ...rolloutTasks(deps.db),
  ...sendingTasks(deps.db),
  ...withdrawingTasks(deps.db),
  ...takeoverTasks(deps.db),
  ...overTasks(deps),
  ...campaignsTasks(deps),
  ...replanTasks(deps),
  ...alertsTasks(deps, ALERT_LINKS),
  ...appsTasks(deps, APP_LINKS),
});

const HOUSE_CRON = `
* * * * * devices_expire
0 * * * * devices_sample
37 * * * * devices_forget
7 * * * * home_fold_tallies
17 * * * * session_clean
* * * * * devices_clean_pairings
37 * * * * player_keep_plays
27 4 * * * devices_compare_zones ?max=1&fill=1d
`.trim();

/** Periodic tasks of features. */
const houseTasks = ({ db, config, log }: Deps) => ({
  devices_expire: async () => {
    await tellExpired(db);
  },
  devices_sample: async () => {
    await samplePresence(db);
  },
  devices_forget: () => runSteps([() => forgetPresence(db, isNeededForStatements), () => forgetPastHours(db)]),
  home_fold_tallies: async () => {
    await foldTallies(db);
  },
  session_clean: () =>
    runSteps(
      [
        cleanSessions,
        cleanChallenges,
        cleanBrowsers,
        cleanRateLimits,
        cleanIdempotencyKeys,
        cleanFailedJobs,
        cleanColleagueInvitations,
      ].map((clean) => () => clean(db)),
    ),
  devices_compare_zones: () => warnOfDriftedZones({ db, log }),
  devices_clean_pairings: async () => {
    await cleanPairings(db);
  },
  player_keep_plays: (_payload: unknown, stopping: AbortSignal) =>
    runSteps([() => makePlayPartitions(db), () => dropOldPlays(db, config, stopping)]),
});

/** The schedule of all jobs, in the format of graphile-worker's crontab. */
export const CRON = [
  HOUSE_CRON,
  FILES_CRON,
  UPLOADS_CRON,
  DEVICES_CRON,
  ROLLOUT_CRON,
  SENDING_CRON,
  WITHDRAWING_CRON,
  TAKEOVER_CRON,
  OVER_CRON,
  CAMPAIGNS_CRON,
  REPLAN_CRON,
  ALERTS_CRON,
  APPS_CRON,
].join('\n');
