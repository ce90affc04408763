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

export const MENU: readonly MenuEntry[] = [
  {
    to: '/',
    text: 'menuHome',
    short: 'barHome',
    icon: HomeIcon,
    segments: ['', 'applist', 'appdetails', 'appupload', 'reports', 'alerts'],
  },
  {
    to: '/user',
    text: 'menuUsers',
    short: 'barUsers',
    icon: UsersIcon,
    segments: ['user', 'password', 'second-factor', 'invitations', 'audit'],
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

export const entryOf = (pathname: string): MenuEntry | undefined =>
  MENU.find((entry) => entry.segments.includes(pathname.split('/')[1] ?? ''));
