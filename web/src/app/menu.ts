import type { Role } from '@ams/contract';
import type { ComponentType } from 'react';
import { FolderIcon, HomeIcon, PlaylistIcon, ScreenIcon, UsersIcon } from '../ui/layout/icons.ts';

export interface MenuEntry {
  to: string;
  text: 'menuHome' | 'menuUsers' | 'menuDevices' | 'menuAds' | 'menuFiles';
  /** The short form under an icon of the bottom bar. */
  short: 'barHome' | 'barUsers' | 'barDevices' | 'barAds' | 'barFiles';
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
  { to: '/mac', text: 'menuDevices', short: 'barDevices', icon: ScreenIcon, segments: ['mac', 'scancode'] },
  {
    to: '/ad',
    text: 'menuAds',
    short: 'barAds',
    icon: PlaylistIcon,
    segments: ['ad', 'adlist', 'release', 'releases'],
  },
  {
    to: '/file',
    text: 'menuFiles',
    short: 'barFiles',
    icon: FolderIcon,
    segments: ['file', 'matlist', 'upload'],
  },
];

/** Nobody is below a member: its own account is reached from home. */
function menuOfMember(): MenuEntry[] {
  const users = MENU.find(({ to }) => to === '/user');
  return MENU.filter((entry) => entry !== users).map((entry) =>
    entry.to === '/' ? { ...entry, segments: [...entry.segments, ...(users?.segments ?? [])] } : entry,
  );
}
const MENU_OF_MEMBER = menuOfMember();

/** While the role is unknown, it is that of a leading user, so that nothing moves when it arrives for most. */
export const menuOf = (role: Role | undefined): readonly MenuEntry[] => (role === 'member' ? MENU_OF_MEMBER : MENU);

/** The entry that a page belongs to. */
export const entryOf = (menu: readonly MenuEntry[], pathname: string): MenuEntry | undefined =>
  menu.find((entry) => entry.segments.includes(pathname.split('/')[1] ?? ''));
