import { common } from './es/common.ts';
import { session } from './es/session.ts';
import { home } from './es/home.ts';
import { users } from './es/users.ts';
import { devices } from './es/devices.ts';
import { groups } from './es/groups.ts';
import { files } from './es/files.ts';
import { ads } from './es/ads.ts';
import { releases } from './es/releases.ts';
import { campaigns } from './es/campaigns.ts';
import { reports } from './es/reports.ts';
import { apps } from './es/apps.ts';
import { errors } from './es/errors.ts';
import { audit } from './es/audit.ts';
import { alerts } from './es/alerts.ts';
import { colleagues } from './es/colleagues.ts';

export const es = {
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
