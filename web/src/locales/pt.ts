import { common } from './pt/common.ts';
import { session } from './pt/session.ts';
import { home } from './pt/home.ts';
import { users } from './pt/users.ts';
import { devices } from './pt/devices.ts';
import { groups } from './pt/groups.ts';
import { files } from './pt/files.ts';
import { ads } from './pt/ads.ts';
import { releases } from './pt/releases.ts';
import { campaigns } from './pt/campaigns.ts';
import { reports } from './pt/reports.ts';
import { apps } from './pt/apps.ts';
import { errors } from './pt/errors.ts';
import { audit } from './pt/audit.ts';
import { alerts } from './pt/alerts.ts';
import { colleagues } from './pt/colleagues.ts';

export const pt = {
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
