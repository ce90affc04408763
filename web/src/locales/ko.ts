import { common } from './ko/common.ts';
import { session } from './ko/session.ts';
import { home } from './ko/home.ts';
import { users } from './ko/users.ts';
import { devices } from './ko/devices.ts';
import { groups } from './ko/groups.ts';
import { files } from './ko/files.ts';
import { ads } from './ko/ads.ts';
import { releases } from './ko/releases.ts';
import { campaigns } from './ko/campaigns.ts';
import { reports } from './ko/reports.ts';
import { apps } from './ko/apps.ts';
import { errors } from './ko/errors.ts';
import { audit } from './ko/audit.ts';
import { alerts } from './ko/alerts.ts';
import { colleagues } from './ko/colleagues.ts';

export const ko = {
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
