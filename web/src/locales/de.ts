import { first } from './de/first.ts';
import { home } from './de/home.ts';
import { users } from './de/users.ts';
import { alerts } from './de/alerts.ts';
import { devices } from './de/devices.ts';
import { groups } from './de/groups.ts';
import { files } from './de/files.ts';
import { ads } from './de/ads.ts';
import { releases } from './de/releases.ts';
import { campaigns } from './de/campaigns.ts';
import { reports } from './de/reports.ts';
import { apps } from './de/apps.ts';
import { audit } from './de/audit.ts';
import { colleagues } from './de/colleagues.ts';

export const de = {
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
