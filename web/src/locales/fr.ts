import { first } from './fr/first.ts';
import { home } from './fr/home.ts';
import { users } from './fr/users.ts';
import { alerts } from './fr/alerts.ts';
import { devices } from './fr/devices.ts';
import { groups } from './fr/groups.ts';
import { files } from './fr/files.ts';
import { ads } from './fr/ads.ts';
import { releases } from './fr/releases.ts';
import { campaigns } from './fr/campaigns.ts';
import { reports } from './fr/reports.ts';
import { apps } from './fr/apps.ts';
import { audit } from './fr/audit.ts';
import { colleagues } from './fr/colleagues.ts';

export const fr = {
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
