import { first } from './pt/first.ts';
import { home } from './pt/home.ts';
import { users } from './pt/users.ts';
import { alerts } from './pt/alerts.ts';
import { devices } from './pt/devices.ts';
import { groups } from './pt/groups.ts';
import { files } from './pt/files.ts';
import { ads } from './pt/ads.ts';
import { releases } from './pt/releases.ts';
import { campaigns } from './pt/campaigns.ts';
import { reports } from './pt/reports.ts';
import { apps } from './pt/apps.ts';
import { audit } from './pt/audit.ts';
import { colleagues } from './pt/colleagues.ts';

export const pt = {
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
