import { common } from './fr/common.ts';
import { session } from './fr/session.ts';
import { home } from './fr/home.ts';
import { users } from './fr/users.ts';
import { devices } from './fr/devices.ts';
import { groups } from './fr/groups.ts';
import { files } from './fr/files.ts';
import { ads } from './fr/ads.ts';
import { releases } from './fr/releases.ts';
import { campaigns } from './fr/campaigns.ts';
import { reports } from './fr/reports.ts';
import { apps } from './fr/apps.ts';
import { errors } from './fr/errors.ts';
import { audit } from './fr/audit.ts';
import { alerts } from './fr/alerts.ts';
import { colleagues } from './fr/colleagues.ts';

export const fr = {
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
