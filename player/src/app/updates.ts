import type { OfferedApp } from '@ams/contract';
import type { Host } from '../platform/host.ts';
import type { Log } from '../platform/log.ts';
import type { Waker } from '../platform/waker.ts';

export interface InstallTries {
  id: string;
  tries: number;
  reason: string;
}

interface UpdatePorts {
  host: Pick<Host, 'installed' | 'install'>;
  /** Wakes when the server may have a newer version. */
  looking: Pick<Waker, 'sleep'>;
  log: Log;
  /** The version to install, null when there is none; rejects without a network. */
  offered(installed: NonNullable<Host['installed']>): Promise<OfferedApp | null>;
  isQuiet(): boolean;
  tries(): Promise<InstallTries | undefined>;
  saveTries(tries: InstallTries): Promise<void>;
  /** An app that would not be installed three times. */
  onGivenUp(): void;
}

const TRIES_MAX = 3;
const LOOK_EVERY_MS = 15 * 60_000;
const INSTALL_MS = 30 * 60_000;

/**
 * Installs newer versions of the host app where the host can: forced ones at once, others in the quiet hour. After three
 * failed tries of a version it stops and reports the reason; a newer version begins anew.
 */
export async function keepAppNew(ports: UpdatePorts, signal: AbortSignal): Promise<void> {
  const { installed, install } = ports.host;
  if (!installed || !install) return;

  async function look(): Promise<void> {
    if (!installed || !install) return;
    const app = await ports.offered(installed);
    if (!app) return;
    const before = await ports.tries();
    const tries = before?.id === app.id ? before.tries : 0;
    if (tries >= TRIES_MAX) return ports.onGivenUp();
    if (!app.forced && !ports.isQuiet()) return;
    ports.log('info', `installing ${app.package} ${app.version}`);
    // An exception of the host is a failure like any other: it would be thrown again every time.
    const reason = await install(app, AbortSignal.any([signal, AbortSignal.timeout(INSTALL_MS)])).catch(String);
    if (reason === undefined || signal.aborted) return;
    await ports.saveTries({ id: app.id, tries: tries + 1, reason });
    ports.log('error', `${app.package} ${app.version} not installed (${tries + 1} of ${TRIES_MAX}): ${reason}`);
    if (tries + 1 >= TRIES_MAX) ports.onGivenUp();
  }

  while (!signal.aborted) {
    await look().catch((error: unknown) => ports.log('warn', `app: ${String(error)}`));
    await ports.looking.sleep(LOOK_EVERY_MS, signal);
  }
}
