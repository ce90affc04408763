import { common } from './ru/common.ts';
import { session } from './ru/session.ts';
import { home } from './ru/home.ts';
import { users } from './ru/users.ts';
import { devices } from './ru/devices.ts';
import { groups } from './ru/groups.ts';
import { files } from './ru/files.ts';
import { ads } from './ru/ads.ts';
import { releases } from './ru/releases.ts';
import { campaigns } from './ru/campaigns.ts';
import { reports } from './ru/reports.ts';
import { apps } from './ru/apps.ts';
import { errors } from './ru/errors.ts';
import { audit } from './ru/audit.ts';
import { alerts } from './ru/alerts.ts';
import { colleagues } from './ru/colleagues.ts';

export const ru = {
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
