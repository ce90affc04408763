import { common } from './zh/common.ts';
import { session } from './zh/session.ts';
import { home } from './zh/home.ts';
import { users } from './zh/users.ts';
import { devices } from './zh/devices.ts';
import { groups } from './zh/groups.ts';
import { files } from './zh/files.ts';
import { ads } from './zh/ads.ts';
import { releases } from './zh/releases.ts';
import { campaigns } from './zh/campaigns.ts';
import { reports } from './zh/reports.ts';
import { apps } from './zh/apps.ts';
import { errors } from './zh/errors.ts';
import { audit } from './zh/audit.ts';
import { alerts } from './zh/alerts.ts';
import { colleagues } from './zh/colleagues.ts';

export const zh = {
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
