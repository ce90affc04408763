import { users } from '@ams/contract';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router';
import { callsOf } from '../platform/api.ts';
import { later } from '../platform/chunks.ts';
import { listenLive, useLive } from '../platform/live.ts';
import { queryClient } from '../platform/query.ts';
import { contractMessages, startAllTexts } from '../platform/i18n.ts';
import { isChanging } from '../platform/paths.ts';
import { useReadOnly, useSession } from '../platform/session.ts';
import { EmptyState } from '../ui/feedback/States.tsx';
import { approvalCountQuery, releaseRequestCountQuery, shortCountQuery } from '../queries/approvals.ts';
import { invalidate } from '../queries/keys.ts';
import { useFormat } from '../ui/format/format.ts';
import { IndicatorPlace } from '../ui/transfer/IndicatorPlace.tsx';
import { usePalette } from '../ui/layout/palette.ts';
import { useWide } from '../ui/layout/wide.ts';
import { SearchButton } from '../ui/list/SearchButton.tsx';
import { AccountMenu } from './account/AccountMenu.tsx';
import { entryOf, menuOf } from './menu.ts';
import { usePaletteKeys } from './palette.ts';
import style from './Shell.module.css';

const calls = callsOf(users, { quiet: true });

/** Comes with the component kit and the names of all pages when it is first opened. */
const Palette = later(
  async () => (await Promise.all([import('../search/Palette.tsx'), startAllTexts()]))[0],
  (module) => module.default,
);
const PALETTE_KEYS = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** Menu and content of everybody signed in: a bar at the bottom of a phone, a side bar on wider screens. */
export function Shell() {
  const { turn } = useSession();
  return (
    <QueryClientProvider client={queryClient}>
      {/* Nothing that one person sees or hears is left for the next one. */}
      <Frame key={turn} />
    </QueryClientProvider>
  );
}

function Frame() {
  const { t } = useTranslation();
  useLiveUpdates();
  useRestoredSession();
  usePaletteKeys();
  const content = useFocusAfterPages();
  const searching = usePalette((state) => state.open);
  return (
    <div className={style.shell}>
      <a className={style.skip} href="#content">
        {t('skipToContent')}
      </a>
      <Menu />
      <main ref={content} id="content" className={style.main} tabIndex={-1}>
        <Content />
      </main>
      <IndicatorPlace />
      {searching && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </div>
  );
}

/** The content has the focus when a page took the element that had it with it, on the way back as well. */
function useFocusAfterPages() {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}

/**
 * Keeps what is shown up to date; after a gap in the stream everything shown is fetched again. Other data is fetched when it
 * is shown again after a change.
 */
function useLiveUpdates() {
  const { signedIn } = useSession();
  useEffect(() => {
    if (!signedIn) return;
    const stop = new AbortController();
    void listenLive(stop.signal, {
      onGap: () => void queryClient.invalidateQueries(),
      onChange: () => void queryClient.invalidateQueries({ type: 'inactive', refetchType: 'none' }),
    });
    return () => stop.abort();
  }, [signedIn]);
}

/** A new tab has only the token: the headers of any answer contain the rest, so it requests the smallest one. */
function useRestoredSession() {
  const { signedIn, current } = useSession();
  const unknown = signedIn && !current;
  useEffect(() => {
    if (unknown) void calls.list({ query: { limit: 1 } });
  }, [unknown]);
}

function Menu() {
  const { t } = useTranslation();
  const { current, person, role } = useSession();
  const wide = useWide();
  const menu = menuOf(role, wide);
  const active = entryOf(menu, useLocation().pathname);
  const requests = useRequests();
  return (
    <nav className={style.menu} aria-label={t('mainMenu')}>
      <Link to="/" className={style.brand} tabIndex={-1} aria-hidden>
        <img src="/favicon.svg" alt="" width="36" height="36" />
        <strong>{t('appTitle')}</strong>
      </Link>
      {wide && (
        <div className={style.search}>
          <SearchButton keys={PALETTE_KEYS} />
        </div>
      )}
      <ul>
        {menu.map((entry) => (
          <li key={entry.to}>
            <Link to={entry.to} className={style.entry} aria-current={entry === active ? 'page' : undefined}>
              <entry.icon />
              <span className={style.short}>{t(entry.short)}</span>
              <span className={style.long}>{t(entry.text)}</span>
              {requests > 0 && entry.segments.includes('approvals') && <Requests count={requests} />}
            </Link>
          </li>
        ))}
      </ul>
      {wide && current && <AccountMenu name={person?.name ?? current.username} />}
    </nav>
  );
}

/** The page, under the reason why a read-only person may change nothing; pages that only change things stay closed. */
function Content() {
  const readOnly = useReadOnly();
  const { pathname } = useLocation();
  if (!readOnly) return <Outlet />;
  const reason = contractMessages().errors.READ_ONLY;
  if (isChanging(pathname)) return <EmptyState title={reason} />;
  return (
    <>
      <p className={style.reason}>{reason}</p>
      <Outlet />
    </>
  );
}

/** How many requests of customers wait for the viewer. */
function useRequests(): number {
  const { leading } = useSession();
  useLive('campaign', () => leading && void invalidate(shortCountQuery.queryKey, approvalCountQuery.queryKey));
  useLive('release', () => void invalidate(releaseRequestCountQuery.queryKey));
  const campaigns = useQuery({ ...approvalCountQuery, enabled: leading }).data ?? 0;
  const releases = useQuery({ ...releaseRequestCountQuery, enabled: leading }).data ?? 0;
  return campaigns + releases;
}

function Requests({ count }: { count: number }) {
  const { t } = useTranslation();
  const { short } = useFormat();
  return (
    <span className={style.count}>
      <span className="visually-hidden">{t('approvals')}: </span>
      {short(count)}
    </span>
  );
}
