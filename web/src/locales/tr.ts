import { first } from './tr/first.ts';
import { home } from './tr/home.ts';
import { users } from './tr/users.ts';
import { alerts } from './tr/alerts.ts';
import { devices } from './tr/devices.ts';
import { groups } from './tr/groups.ts';
import { files } from './tr/files.ts';
import { ads } from './tr/ads.ts';
import { releases } from './tr/releases.ts';
import { campaigns } from './tr/campaigns.ts';
import { reports } from './tr/reports.ts';
import { apps } from './tr/apps.ts';
import { audit } from './tr/audit.ts';
import { colleagues } from './tr/colleagues.ts';

export const tr = {
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
