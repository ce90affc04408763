import { api } from '../platform/api.ts';
import { logError } from '../platform/log.ts';
import { toast } from '../platform/toast.ts';
import { guard } from './guard.ts';
import { router } from './routes.tsx';

/** The one place that says what a failed call means for the person: a toast, and without a session the way to /login. */
export function handleFailures(): void {
  api.handlers.onFailure = (failure) => toast.fail(failure.message);
  api.handlers.onUnauthenticated = () => {
    const login = guard(router.state.location, false);
    if (login !== undefined) void router.navigate(login, { replace: true });
  };
  window.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    logError('Unhandled rejection', event.reason);
  });
}
