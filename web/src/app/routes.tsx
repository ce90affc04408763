import i18next from 'i18next';
import { type LoaderFunctionArgs, type RouteObject, createBrowserRouter, redirect } from 'react-router';
import { loadChunk, page } from '../platform/chunks.ts';
import { startAllTexts, startFrameTexts, startLanguage } from '../platform/i18n.ts';
import { storage } from '../platform/storage.ts';
import { nextTask } from '../platform/task.ts';
import LoginPage from '../session/pages/LoginPage.tsx';
import type { PagePath } from './addresses.ts';
import { ErrorPage } from './ErrorPage.tsx';
import { guard } from './guard.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { Root } from './Root.tsx';

/** Runs before each route change: sets the title, and sends away who has no session. */
async function beforeEach({ request }: LoaderFunctionArgs): Promise<Response | null> {
  await startLanguage();
  document.title = i18next.t('appTitle');
  const elsewhere = guard(new URL(request.url), storage.token() !== undefined);
  return elsewhere === undefined ? null : redirect(elsewhere);
}

type Page = RouteObject & { path: PagePath };

/** A page inside the shell; only the home page does without the texts of all pages. */
const shelledPage = (load: Parameters<typeof page>[0]) =>
  page(async () => (await Promise.all([load(), startAllTexts()]))[0]);

const campaignForm = shelledPage(() => import('./campaign/CampaignFormPage.tsx'));

/** Pages without menu and bar. */
const bare: Page[] = [
  // Part of the main bundle: a slow network has to load only one file.
  { path: '/login', Component: LoginPage },
  { path: '/register/:code', lazy: page(() => import('../session/pages/RegisterPage.tsx')) },
  { path: '/logout', lazy: page(() => import('../session/pages/LogoutPage.tsx')) },
];

/** Pages inside the shell, by feature. A new page is a line here. */
const shelled: Page[] = [
  { path: '/', lazy: page(async () => ({ default: (await import('./frame.ts')).HomePage })) },

  { path: '/user', lazy: shelledPage(() => import('../users/pages/UserListPage.tsx')) },
  { path: '/user/add', lazy: shelledPage(() => import('../users/pages/AddUserPage.tsx')) },
  { path: '/user/:id', lazy: shelledPage(() => import('../users/pages/UserPage.tsx')) },
  { path: '/password', lazy: shelledPage(() => import('../users/pages/PasswordPage.tsx')) },
  { path: '/second-factor', lazy: shelledPage(() => import('../session/pages/SecondFactorPage.tsx')) },
  { path: '/invitations', lazy: shelledPage(() => import('../users/pages/InvitationsPage.tsx')) },
  { path: '/audit', lazy: shelledPage(() => import('../users/pages/AuditPage.tsx')) },

  { path: '/mac', lazy: shelledPage(() => import('../devices/pages/DeviceListPage.tsx')) },
  { path: '/mac/:id', lazy: shelledPage(() => import('../devices/pages/DevicePage.tsx')) },
  { path: '/groups', lazy: shelledPage(() => import('../devices/pages/GroupListPage.tsx')) },
  { path: '/groups/:id', lazy: shelledPage(() => import('../devices/pages/GroupPage.tsx')) },
  { path: '/scancode', lazy: shelledPage(() => import('../devices/pages/ScanCodePage.tsx')) },

  { path: '/file', lazy: shelledPage(() => import('../files/pages/FileOwnersPage.tsx')) },
  {
    path: '/matlist/:id/:username?/:tactive?/:vactive?/:hactive?/:teamid?/:type?',
    lazy: shelledPage(() => import('../files/pages/FileListPage.tsx')),
  },
  {
    path: '/upload/:id/:username/:tactive/:vactive/:hactive/:teamid/:type',
    lazy: shelledPage(() => import('../files/pages/UploadPage.tsx')),
  },

  { path: '/ad', lazy: shelledPage(() => import('../ads/pages/AdOwnersPage.tsx')) },
  { path: '/adlist/:id/:username/:mp4/:img/:ad_num', lazy: shelledPage(() => import('../ads/pages/AdListPage.tsx')) },
  { path: '/release/:id/:teamid/:type', lazy: shelledPage(() => import('./release/ReleaseFormPage.tsx')) },
  { path: '/releases', lazy: shelledPage(() => import('../releases/pages/ReleaseListPage.tsx')) },
  { path: '/calendar', lazy: shelledPage(() => import('../releases/pages/CalendarPage.tsx')) },
  { path: '/takeover', lazy: shelledPage(() => import('../takeovers/pages/TakeoverFormPage.tsx')) },
  { path: '/takeovers/:id', lazy: shelledPage(() => import('../takeovers/pages/TakeoverPage.tsx')) },
  { path: '/campaigns', lazy: shelledPage(() => import('../campaigns/pages/CampaignListPage.tsx')) },
  { path: '/campaigns/new', lazy: campaignForm },
  { path: '/campaigns/:id', lazy: shelledPage(() => import('../campaigns/pages/CampaignPage.tsx')) },
  { path: '/campaigns/:id/edit', lazy: campaignForm },
  { path: '/campaigns/:id/statement', lazy: shelledPage(() => import('../campaigns/pages/StatementPage.tsx')) },
  { path: '/revenue', lazy: shelledPage(() => import('../campaigns/pages/RevenuePage.tsx')) },
  { path: '/occupancy', lazy: shelledPage(() => import('../campaigns/pages/OccupancyPage.tsx')) },
  { path: '/approvals', lazy: shelledPage(() => import('../campaigns/pages/ApprovalsPage.tsx')) },
  { path: '/reports', lazy: shelledPage(() => import('../reports/pages/ReportPage.tsx')) },
  { path: '/releases/:id', lazy: shelledPage(() => import('../releases/pages/ReleasePage.tsx')) },

  { path: '/applist', lazy: shelledPage(() => import('../apps/pages/AppListPage.tsx')) },
  {
    path: '/appdetails/:id/:name/:content/:url/:ctime/:forced/:code/:istype',
    lazy: shelledPage(() => import('../apps/pages/AppDetailsPage.tsx')),
  },
  { path: '/appupload', lazy: shelledPage(() => import('../apps/pages/AppUploadPage.tsx')) },

  { path: '/settings', lazy: shelledPage(() => import('./settings/SettingsPage.tsx')) },
  { path: '/alerts', lazy: shelledPage(() => import('../alerts/pages/AlertsPage.tsx')) },

  { path: '*', Component: NotFoundPage },
];

/**
 * A page for each number of optional segments, which are left out from the end. The router itself makes one of each
 * subset, 64 of six, at each start: half of the time that it takes to begin.
 */
function eachLength({ path, ...rest }: Page): RouteObject[] {
  const segments = path.split('/');
  const needed = segments.filter((segment) => !segment.endsWith('?')).length;
  return segments.slice(needed - 1).map((_, left) => ({
    ...rest,
    path: segments
      .slice(0, needed + left)
      .join('/')
      .replaceAll('?', ''),
  }));
}

/** The shell comes with the last data, which the pages outside it do without. */
async function shell() {
  // In a task of its own, as pages (chunks.ts).
  await nextTask();
  const [{ Shell, startOffline }] = await loadChunk(() => Promise.all([import('./frame.ts'), startFrameTexts()]));
  await startOffline();
  return { Component: Shell };
}

const routes: RouteObject[] = [
  {
    Component: Root,
    loader: beforeEach,
    shouldRevalidate: () => true,
    ErrorBoundary: ErrorPage,
    // The document shows its own picture while there is nothing here.
    HydrateFallback: () => null,
    children: [
      ...bare,
      { lazy: shell, children: [{ ErrorBoundary: ErrorPage, children: shelled.flatMap(eachLength) }] },
    ],
  },
];

/** The pages; begins to load the one of the address. */
export const makeRouter = () => createBrowserRouter(routes);
export type Router = ReturnType<typeof makeRouter>;
