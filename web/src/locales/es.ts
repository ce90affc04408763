import { first } from './es/first.ts';
import { home } from './es/home.ts';
import { users } from './es/users.ts';
import { alerts } from './es/alerts.ts';
import { devices } from './es/devices.ts';
import { groups } from './es/groups.ts';
import { files } from './es/files.ts';
import { ads } from './es/ads.ts';
import { releases } from './es/releases.ts';
import { campaigns } from './es/campaigns.ts';
import { reports } from './es/reports.ts';
import { apps } from './es/apps.ts';
import { audit } from './es/audit.ts';
import { colleagues } from './es/colleagues.ts';

export const es = {
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
