import i18next from 'i18next';
import { type LoaderFunctionArgs, type RouteObject, createBrowserRouter, redirect } from 'react-router';
import { startAllTexts, startLanguage } from '../platform/i18n.ts';
import { storage } from '../platform/storage.ts';
import LoginPage from '../session/pages/LoginPage.tsx';
import type { PagePath } from './addresses.ts';
import { loadChunk, page } from './chunks.ts';
import { ErrorPage } from './ErrorPage.tsx';
import { guard } from './guard.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { Root } from './Root.tsx';
import { Splash } from './Splash.tsx';

/** Runs before each route change: sets the title, and sends away who has no session. */
async function beforeEach({ request }: LoaderFunctionArgs): Promise<Response | null> {
  await startLanguage();
  document.title = i18next.t('appTitle');
  const elsewhere = guard(new URL(request.url), storage.token() !== undefined);
  return elsewhere === undefined ? null : redirect(elsewhere);
}

type Page = RouteObject & { path: PagePath };

const campaignForm = page(() => import('./campaign/CampaignFormPage.tsx'));

/** Pages without menu and bar. */
const bare: Page[] = [
  // Part of the main bundle: a slow network has to load only one file.
  { path: '/login', Component: LoginPage },
  { path: '/register/:code', lazy: page(() => import('../session/pages/RegisterPage.tsx')) },
  { path: '/logout', lazy: page(() => import('../session/pages/LogoutPage.tsx')) },
];

/** Pages inside the shell, by feature. A new page is a line here. */
const shelled: Page[] = [
  { path: '/', lazy: page(() => import('../home/pages/HomePage.tsx')) },

  { path: '/user', lazy: page(() => import('../users/pages/UserListPage.tsx')) },
  { path: '/user/add', lazy: page(() => import('../users/pages/AddUserPage.tsx')) },
  { path: '/user/:id', lazy: page(() => import('../users/pages/UserPage.tsx')) },
  { path: '/password', lazy: page(() => import('../users/pages/PasswordPage.tsx')) },
  { path: '/second-factor', lazy: page(() => import('../session/pages/SecondFactorPage.tsx')) },
  { path: '/invitations', lazy: page(() => import('../users/pages/InvitationsPage.tsx')) },
  { path: '/audit', lazy: page(() => import('../users/pages/AuditPage.tsx')) },

  { path: '/mac', lazy: page(() => import('../devices/pages/DeviceListPage.tsx')) },
  { path: '/mac/:id', lazy: page(() => import('../devices/pages/DevicePage.tsx')) },
  { path: '/groups', lazy: page(() => import('../devices/pages/GroupListPage.tsx')) },
  { path: '/groups/:id', lazy: page(() => import('../devices/pages/GroupPage.tsx')) },
  { path: '/scancode', lazy: page(() => import('../devices/pages/ScanCodePage.tsx')) },

  { path: '/file', lazy: page(() => import('../files/pages/FileOwnersPage.tsx')) },
  {
    path: '/matlist/:id/:username?/:tactive?/:vactive?/:hactive?/:teamid?/:type?',
    lazy: page(() => import('../files/pages/FileListPage.tsx')),
  },
  {
    path: '/upload/:id/:username/:tactive/:vactive/:hactive/:teamid/:type',
    lazy: page(() => import('../files/pages/UploadPage.tsx')),
  },

  { path: '/ad', lazy: page(() => import('../ads/pages/AdOwnersPage.tsx')) },
  { path: '/adlist/:id/:username/:mp4/:img/:ad_num', lazy: page(() => import('../ads/pages/AdListPage.tsx')) },
  { path: '/release/:id/:teamid/:type', lazy: page(() => import('./release/ReleaseFormPage.tsx')) },
  { path: '/releases', lazy: page(() => import('../releases/pages/ReleaseListPage.tsx')) },
  { path: '/calendar', lazy: page(() => import('../releases/pages/CalendarPage.tsx')) },
  { path: '/takeover', lazy: page(() => import('../takeovers/pages/TakeoverFormPage.tsx')) },
  { path: '/takeovers/:id', lazy: page(() => import('../takeovers/pages/TakeoverPage.tsx')) },
  { path: '/campaigns', lazy: page(() => import('../campaigns/pages/CampaignListPage.tsx')) },
  { path: '/campaigns/new', lazy: campaignForm },
  { path: '/campaigns/:id', lazy: page(() => import('../campaigns/pages/CampaignPage.tsx')) },
  { path: '/campaigns/:id/edit', lazy: campaignForm },
  { path: '/campaigns/:id/statement', lazy: page(() => import('../campaigns/pages/StatementPage.tsx')) },
  { path: '/revenue', lazy: page(() => import('../campaigns/pages/RevenuePage.tsx')) },
  { path: '/occupancy', lazy: page(() => import('../campaigns/pages/OccupancyPage.tsx')) },
  { path: '/approvals', lazy: page(() => import('../campaigns/pages/ApprovalsPage.tsx')) },
  { path: '/reports', lazy: page(() => import('../reports/pages/ReportPage.tsx')) },
  { path: '/releases/:id', lazy: page(() => import('../releases/pages/ReleasePage.tsx')) },

  { path: '/applist', lazy: page(() => import('../apps/pages/AppListPage.tsx')) },
  {
    path: '/appdetails/:id/:name/:content/:url/:ctime/:forced/:code/:istype',
    lazy: page(() => import('../apps/pages/AppDetailsPage.tsx')),
  },
  { path: '/appupload', lazy: page(() => import('../apps/pages/AppUploadPage.tsx')) },

  { path: '/settings', lazy: page(() => import('./settings/SettingsPage.tsx')) },
  { path: '/alerts', lazy: page(() => import('../alerts/pages/AlertsPage.tsx')) },

  { path: '*', Component: NotFoundPage },
];

/** The shell comes with the last data, which the pages outside it do without. */
async function shell() {
  const [{ Shell, startOffline }] = await loadChunk(() => Promise.all([import('./frame.ts'), startAllTexts()]));
  await startOffline();
  return { Component: Shell };
}

export const router = createBrowserRouter([
  {
    Component: Root,
    loader: beforeEach,
    shouldRevalidate: () => true,
    ErrorBoundary: ErrorPage,
    HydrateFallback: Splash,
    children: [...bare, { lazy: shell, children: [{ ErrorBoundary: ErrorPage, children: shelled }] }],
  },
]);
