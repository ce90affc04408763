import type { Role } from '@ams/contract';
import type { ComponentType } from 'react';
import { CampaignIcon, FolderIcon, HomeIcon, PlaylistIcon, ScreenIcon, UsersIcon } from '../ui/layout/icons.ts';

export interface MenuEntry {
  to: string;
  text: 'menuHome' | 'menuUsers' | 'menuDevices' | 'menuAds' | 'menuCampaigns' | 'menuFiles';
  /** The short form under an icon of the bottom bar. */
  short: 'barHome' | 'barUsers' | 'barDevices' | 'barAds' | 'menuCampaigns' | 'barFiles';
  icon: ComponentType;
  /** First path segments of the pages that belong to this entry. */
  segments: readonly string[];
}

const MENU: readonly MenuEntry[] = [
  {
    to: '/',
    text: 'menuHome',
    short: 'barHome',
    icon: HomeIcon,
    segments: ['', 'applist', 'appdetails', 'appupload', 'reports', 'alerts', 'settings', 'password', 'second-factor'],
  },
  {
    to: '/user',
    text: 'menuUsers',
    short: 'barUsers',
    icon: UsersIcon,
    segments: ['user', 'invitations', 'audit'],
  },
  {
    to: '/mac',
    text: 'menuDevices',
    short: 'barDevices',
    icon: ScreenIcon,
    segments: ['mac', 'groups', 'calendar', 'scancode'],
  },
  {
    to: '/ad',
    text: 'menuAds',
    short: 'barAds',
    icon: PlaylistIcon,
    segments: ['ad', 'adlist', 'release', 'releases', 'takeover', 'takeovers'],
  },
  {
    to: '/campaigns',
    text: 'menuCampaigns',
    short: 'menuCampaigns',
    icon: CampaignIcon,
    segments: ['campaigns', 'revenue', 'occupancy', 'approvals'],
  },
  {
    to: '/file',
    text: 'menuFiles',
    short: 'barFiles',
    icon: FolderIcon,
    segments: ['file', 'matlist', 'upload'],
  },
];

/** The menu without an entry, whose pages belong to another one. */
const merged = (menu: readonly MenuEntry[], from: string, into: string): readonly MenuEntry[] => {
  const gone = menu.find(({ to }) => to === from);
  return menu
    .filter((entry) => entry !== gone)
    .map((entry) =>
      entry.to === into ? { ...entry, segments: [...entry.segments, ...(gone?.segments ?? [])] } : entry,
    );
};

/** Nobody is below a member: its own account is reached from home. */
const MENU_OF_MEMBER = merged(MENU, '/user', '/');
/** The bar of a phone has room for five. */
const BAR = { leading: merged(MENU, '/campaigns', '/ad'), member: merged(MENU_OF_MEMBER, '/campaigns', '/ad') };

/**
 * The menu of a role; `wide`: of the side bar. While the role is unknown, it is that of a leading user, so that nothing
 * moves when it arrives for most.
 */
export function menuOf(role: Role | undefined, wide: boolean): readonly MenuEntry[] {
  if (!wide) return BAR[role ?? 'leading'];
  return role === 'member' ? MENU_OF_MEMBER : MENU;
}

/** The entry that a page belongs to. */
export const entryOf = (menu: readonly MenuEntry[], pathname: string): MenuEntry | undefined =>
  menu.find((entry) => entry.segments.includes(pathname.split('/')[1] ?? ''));
