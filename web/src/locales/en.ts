import { first } from './en/first.ts';
import { home } from './en/home.ts';
import { users } from './en/users.ts';
import { alerts } from './en/alerts.ts';
import { devices } from './en/devices.ts';
import { groups } from './en/groups.ts';
import { files } from './en/files.ts';
import { ads } from './en/ads.ts';
import { releases } from './en/releases.ts';
import { campaigns } from './en/campaigns.ts';
import { reports } from './en/reports.ts';
import { apps } from './en/apps.ts';
import { audit } from './en/audit.ts';
import { colleagues } from './en/colleagues.ts';

/** Every text of the interface, by feature: the type of all languages. */
export const en = {
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
} as const;
