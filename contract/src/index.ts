import { ads } from './ads.ts';
import { alerts } from './alerts.ts';
import { apps } from './apps.ts';
import { batches } from './batches.ts';
import { campaigns } from './campaigns.ts';
import { scans } from './scans.ts';
import { colleagues } from './colleagues.ts';
import { devices } from './devices.ts';
import { files } from './files.ts';
import { groups } from './groups.ts';
import { home } from './home.ts';
import { player } from './player.ts';
import { releases } from './releases.ts';
import { reports } from './reports.ts';
import { search } from './search.ts';
import { service } from './service.ts';
import { shares } from './shares.ts';
import { session } from './session.ts';
import { takeovers } from './takeovers.ts';
import { users } from './users.ts';

/** Every call of the API, by feature. */
export const routes = {
  session,
  users,
  colleagues,
  home,
  devices,
  batches,
  groups,
  files,
  ads,
  releases,
  takeovers,
  campaigns,
  scans,
  reports,
  search,
  shares,
  apps,
  alerts,
  player,
  service,
} as const;
export type Routes = typeof routes;

export * from './ads.ts';
export * from './alerts.ts';
export type * from './audit.ts';
export * from './apps.ts';
export * from './batches.ts';
export * from './calendar.ts';
export * from './campaign-delivery.ts';
export * from './campaign-goal.ts';
export * from './campaigns.ts';
export * from './colleagues.ts';
export * from './devices.ts';
export * from './files.ts';
export * from './groups.ts';
export * from './hours.ts';
export * from './home.ts';
export type * from './jobs.ts';
export * from './kernel/client.ts';
export * from './kernel/file-name.ts';
export * from './kernel/name.ts';
export * from './kernel/errors.ts';
export * from './kernel/page.ts';
export * from './kernel/route-errors.ts';
export * from './kernel/route.ts';
export * from './kernel/time.ts';
export * from './languages.ts';
export * from './money.ts';
export * from './occupancy.ts';
export * from './player.ts';
export * from './proof.ts';
export * from './releases.ts';
export * from './rules/calendar.ts';
export * from './rules/capacity.ts';
export * from './rules/cells.ts';
export * from './rules/charges.ts';
export * from './rules/content-checks.ts';
export * from './rules/chain.ts';
export * from './reports.ts';
export * from './rules/digits.ts';
export * from './rules/expiry.ts';
export * from './rules/flight.ts';
export * from './rules/scan-target.ts';
export * from './scans.ts';
export * from './rules/hours.ts';
export * from './rules/filter.ts';
export * from './rules/lead.ts';
export * from './rules/levels.ts';
export * from './rules/mac.ts';
export * from './rules/open-time.ts';
export * from './rules/plan-gap.ts';
export * from './rules/pacing.ts';
export * from './rules/plays.ts';
export * from './rules/presence.ts';
export * from './rules/programme.ts';
export * from './rules/proof-amount.ts';
export * from './rules/proof-check.ts';
export * from './rules/proof-tally.ts';
export * from './rules/proof-text.ts';
export * from './rules/replan.ts';
export * from './rules/revenue.ts';
export * from './rules/rollout.ts';
export * from './rules/spots.ts';
export * from './rules/tags.ts';
export * from './rules/verdict.ts';
export * from './rules/working-time.ts';
export * from './rules/zone-names.ts';
export * from './rules/zone.ts';
export * from './revenue.ts';
export * from './search.ts';
export * from './session.ts';
export * from './shares.ts';
export * from './sheets.ts';
export * from './statements.ts';
export * from './takeovers.ts';
export * from './users.ts';
export * from './version.ts';
export * from './vocabulary.ts';
