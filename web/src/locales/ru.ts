import { first } from './ru/first.ts';
import { home } from './ru/home.ts';
import { users } from './ru/users.ts';
import { alerts } from './ru/alerts.ts';
import { devices } from './ru/devices.ts';
import { groups } from './ru/groups.ts';
import { files } from './ru/files.ts';
import { ads } from './ru/ads.ts';
import { releases } from './ru/releases.ts';
import { campaigns } from './ru/campaigns.ts';
import { reports } from './ru/reports.ts';
import { apps } from './ru/apps.ts';
import { audit } from './ru/audit.ts';
import { colleagues } from './ru/colleagues.ts';

export const ru = {
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
