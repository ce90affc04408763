import { common } from './de/common.ts';
import { session } from './de/session.ts';
import { home } from './de/home.ts';
import { users } from './de/users.ts';
import { devices } from './de/devices.ts';
import { groups } from './de/groups.ts';
import { files } from './de/files.ts';
import { ads } from './de/ads.ts';
import { releases } from './de/releases.ts';
import { campaigns } from './de/campaigns.ts';
import { reports } from './de/reports.ts';
import { apps } from './de/apps.ts';
import { errors } from './de/errors.ts';
import { audit } from './de/audit.ts';
import { alerts } from './de/alerts.ts';
import { colleagues } from './de/colleagues.ts';

export const de = {
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
};
