import { api } from '../platform/api.ts';
import { logError } from '../platform/log.ts';
import { session } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { guard } from './guard.ts';
import type { Router } from './routes.tsx';

/** To the page to log in, which leads back to the same page with what it was opened for. */
function leave(router: Router): void {
  const { location } = router.state;
  const login = guard(location, false);
  if (login !== undefined) void router.navigate(login, { replace: true, state: location.state });
}

/** Ends a session that expired while the page was closed or that another tab ended, and removes its data. */
export function watchSession(router: Router): void {
  const check = () => {
    const before = session.snapshot().signedIn;
    session.check();
    if (before && !session.snapshot().signedIn) leave(router);
  };
  check();
  window.addEventListener('storage', check);
  document.addEventListener('visibilitychange', check);
}

/** The one place that shows a failed call to the user: a toast, or /login when the session has ended. */
export function handleFailures(router: Router): void {
  api.handlers.onFailure = (failure) => toast.fail(failure.message);
  api.handlers.onUnauthenticated = () => leave(router);
  window.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    logError('Unhandled rejection', event.reason);
  });
}
