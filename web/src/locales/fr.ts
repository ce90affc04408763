import { first } from './fr/first.ts';
import { frame } from './fr/frame.ts';
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
  ...frame,
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
