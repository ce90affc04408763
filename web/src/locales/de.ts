import { first } from './de/first.ts';
import { frame } from './de/frame.ts';
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
