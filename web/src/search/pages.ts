import { useTranslation } from 'react-i18next';
import { useReadOnly, useSession } from '../platform/session.ts';
import { anyUploadPath, isChanging } from '../platform/paths.ts';
import {
  AgendaIcon,
  BellIcon,
  CampaignIcon,
  CheckIcon,
  FolderIcon,
  GroupIcon,
  HistoryIcon,
  HomeIcon,
  KeyIcon,
  LogoutIcon,
  PackageIcon,
  PlaylistIcon,
  PlusIcon,
  ScanIcon,
  ScreenIcon,
  SendIcon,
  SettingsIcon,
  ShieldIcon,
  TableIcon,
  TicketIcon,
  UploadIcon,
  UsersIcon,
} from '../ui/layout/icons.ts';
import type { Entry } from './hits.ts';

/** The pages that a person may open, and what is begun on them, in the language shown. */
export function usePages(): Entry[] {
  const { t } = useTranslation([
    'common',
    'home',
    'users',
    'devices',
    'audit',
    'ads',
    'files',
    'alerts',
    'releases',
    'apps',
  ]);
  const { leading, current } = useSession();
  const readOnly = useReadOnly();
  const upload = current && anyUploadPath(current);
  const pages: (Omit<Entry, 'id' | 'note'> | false | undefined)[] = [
    { to: '/', title: t('menuHome'), icon: HomeIcon },
    leading && { to: '/user', title: t('menuUsers'), icon: UsersIcon },
    { to: '/mac', title: t('menuDevices'), icon: ScreenIcon },
    { to: '/groups', title: t('devices:groups'), icon: GroupIcon },
    { to: '/ad', title: t('menuAds'), icon: PlaylistIcon },
    { to: '/campaigns', title: t('menuCampaigns'), icon: CampaignIcon },
    leading && { to: '/approvals', title: t('approvals'), icon: CheckIcon },
    { to: '/revenue', title: t(leading ? 'revenue' : 'costs'), icon: TableIcon },
    leading && { to: '/occupancy', title: t('occupancy'), icon: AgendaIcon },
    { to: '/campaigns/new', title: t('newCampaign'), icon: PlusIcon },
    { to: '/file', title: t('menuFiles'), icon: FolderIcon },
    { to: '/releases', title: t('releases:releases'), icon: SendIcon },
    { to: '/calendar', title: t('calendar'), icon: AgendaIcon },
    { to: '/reports', title: t('playReport'), icon: TableIcon },
    { to: '/scancode', title: t('home:stepPair'), icon: ScanIcon },
    upload !== undefined && { to: upload, title: t('files:uploadTitle'), icon: UploadIcon },
    current && { to: `/release/${current.id}/1/1`, title: t('ads:newAd'), icon: PlusIcon },
    leading && { to: '/user/add', title: t('users:add'), icon: PlusIcon },
    leading && { to: '/invitations', title: t('users:invitations'), icon: TicketIcon },
    leading && { to: '/audit', title: t('audit:title'), icon: HistoryIcon },
    { to: '/settings', title: t('settings'), icon: SettingsIcon },
    { to: '/alerts', title: t('alerts:title'), icon: BellIcon },
    { to: '/password', title: t('users:changePassword'), icon: KeyIcon },
    { to: '/second-factor', title: t('home:secondFactor'), icon: ShieldIcon },
    { to: '/applist', title: t('home:apps'), icon: PackageIcon },
    leading && { to: '/appupload', title: t('apps:uploadTitle'), icon: UploadIcon },
    { to: '/logout', title: t('home:logout'), icon: LogoutIcon },
  ];
  return pages.flatMap((page) =>
    page && !(readOnly && isChanging(page.to)) ? [{ ...page, id: `page ${page.to}`, note: '' }] : [],
  );
}

/** Letters without their marks and their case: nobody types them all in a search (İ and ı are i, ê is e, đ is d). */
const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').replaceAll('đ', 'd');

/** The pages whose names hold every word of a text; all of them for no text. */
export function pagesFound(pages: readonly Entry[], text: string): Entry[] {
  const words = plain(text).split(/\s+/);
  return pages.filter(({ title }) => words.every((word) => plain(title).includes(word)));
}
