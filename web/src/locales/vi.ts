import { first } from './vi/first.ts';
import { home } from './vi/home.ts';
import { users } from './vi/users.ts';
import { alerts } from './vi/alerts.ts';
import { devices } from './vi/devices.ts';
import { groups } from './vi/groups.ts';
import { files } from './vi/files.ts';
import { ads } from './vi/ads.ts';
import { releases } from './vi/releases.ts';
import { campaigns } from './vi/campaigns.ts';
import { reports } from './vi/reports.ts';
import { apps } from './vi/apps.ts';
import { audit } from './vi/audit.ts';
import { colleagues } from './vi/colleagues.ts';

export const vi = {
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
