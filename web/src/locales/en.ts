import { common } from './en/common.ts';
import { session } from './en/session.ts';
import { home } from './en/home.ts';
import { users } from './en/users.ts';
import { devices } from './en/devices.ts';
import { groups } from './en/groups.ts';
import { files } from './en/files.ts';
import { ads } from './en/ads.ts';
import { releases } from './en/releases.ts';
import { campaigns } from './en/campaigns.ts';
import { reports } from './en/reports.ts';
import { apps } from './en/apps.ts';
import { errors } from './en/errors.ts';
import { audit } from './en/audit.ts';
import { alerts } from './en/alerts.ts';
import { colleagues } from './en/colleagues.ts';

/** Every text of the interface, by feature: the type of all languages. */
export const en = {
  common,
  session,
  home,
  users,
  devices,
  groups,
  files,
  ads,
  releases,
  campaigns,
  reports,
  apps,
  errors,
  audit,
  alerts,
  colleagues,
} as const;
