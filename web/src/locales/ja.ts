import { first } from './ja/first.ts';
import { home } from './ja/home.ts';
import { users } from './ja/users.ts';
import { alerts } from './ja/alerts.ts';
import { devices } from './ja/devices.ts';
import { groups } from './ja/groups.ts';
import { files } from './ja/files.ts';
import { ads } from './ja/ads.ts';
import { releases } from './ja/releases.ts';
import { campaigns } from './ja/campaigns.ts';
import { reports } from './ja/reports.ts';
import { apps } from './ja/apps.ts';
import { audit } from './ja/audit.ts';
import { colleagues } from './ja/colleagues.ts';

export const ja = {
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
