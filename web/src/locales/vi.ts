import { common } from './vi/common.ts';
import { session } from './vi/session.ts';
import { home } from './vi/home.ts';
import { users } from './vi/users.ts';
import { devices } from './vi/devices.ts';
import { groups } from './vi/groups.ts';
import { files } from './vi/files.ts';
import { ads } from './vi/ads.ts';
import { releases } from './vi/releases.ts';
import { campaigns } from './vi/campaigns.ts';
import { reports } from './vi/reports.ts';
import { apps } from './vi/apps.ts';
import { errors } from './vi/errors.ts';
import { audit } from './vi/audit.ts';
import { alerts } from './vi/alerts.ts';
import { colleagues } from './vi/colleagues.ts';

export const vi = {
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
