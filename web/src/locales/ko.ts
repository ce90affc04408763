import { first } from './ko/first.ts';
import { home } from './ko/home.ts';
import { users } from './ko/users.ts';
import { alerts } from './ko/alerts.ts';
import { devices } from './ko/devices.ts';
import { groups } from './ko/groups.ts';
import { files } from './ko/files.ts';
import { ads } from './ko/ads.ts';
import { releases } from './ko/releases.ts';
import { campaigns } from './ko/campaigns.ts';
import { reports } from './ko/reports.ts';
import { apps } from './ko/apps.ts';
import { audit } from './ko/audit.ts';
import { colleagues } from './ko/colleagues.ts';

export const ko = {
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
