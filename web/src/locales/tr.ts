import { common } from './tr/common.ts';
import { session } from './tr/session.ts';
import { home } from './tr/home.ts';
import { users } from './tr/users.ts';
import { devices } from './tr/devices.ts';
import { groups } from './tr/groups.ts';
import { files } from './tr/files.ts';
import { ads } from './tr/ads.ts';
import { releases } from './tr/releases.ts';
import { campaigns } from './tr/campaigns.ts';
import { reports } from './tr/reports.ts';
import { apps } from './tr/apps.ts';
import { errors } from './tr/errors.ts';
import { audit } from './tr/audit.ts';
import { alerts } from './tr/alerts.ts';
import { colleagues } from './tr/colleagues.ts';

export const tr = {
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
