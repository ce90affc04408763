import { first } from './ar/first.ts';
import { home } from './ar/home.ts';
import { users } from './ar/users.ts';
import { alerts } from './ar/alerts.ts';
import { devices } from './ar/devices.ts';
import { groups } from './ar/groups.ts';
import { files } from './ar/files.ts';
import { ads } from './ar/ads.ts';
import { releases } from './ar/releases.ts';
import { campaigns } from './ar/campaigns.ts';
import { reports } from './ar/reports.ts';
import { apps } from './ar/apps.ts';
import { audit } from './ar/audit.ts';
import { colleagues } from './ar/colleagues.ts';

export const ar = {
  ...first,
  home,
  users,
  alerts,
  devices,
  groups,
  files,
  ads,
  releases,
  campaigns,
  reports,
  apps,
  audit,
  colleagues,
};
