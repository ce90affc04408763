import { SOCKET_PROTOCOL, VERSION, ownTimeZone, player } from '@ams/contract';
import { reload, startAgain } from './reload.ts';
import { isQuiet } from '../platform/quiet.ts';
import { openPlayStore, openStateStore, readValue, writeValue } from '../store/database.ts';
import { keptKeys } from '../store/identity.ts';
import { type Device, makeDevice } from '../sync/device.ts';
import { makeKeyPair, type PlaySigner, signerOf } from '../sync/signing.ts';
import { makeWaker, type Waker } from '../platform/waker.ts';
import { keepAppNew } from './updates.ts';
import type { PlayerWindow } from './window.ts';

function socketUrl(): string {
  const url = new URL(player.socket.url, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** The facts about this device that it sends when it enrols. */
const enrolmentOf = ({ identity, parameters, host, screens }: PlayerWindow) => ({
  mac: identity.mac,
  enrolmentKey: parameters.get('key') ?? undefined,
  screens,
  timeZone: ownTimeZone(),
  player: { version: VERSION, kind: host.installed ? 'android' : 'browser' },
});

/** Signs with the key of this device; an insecure context has none, and its plays go unsigned. */
async function openSigner({ database, log }: PlayerWindow): Promise<PlaySigner | undefined> {
  if (!isSecureContext) return undefined;
  try {
    return await signerOf(await keptKeys(database, makeKeyPair));
  } catch (error) {
    log('error', `plays cannot be signed: ${String(error)}`);
    return undefined;
  }
}

const portsOf = ({ api, identity, database, media, clock, log }: PlayerWindow) => ({
  api,
  openSocket: () => new WebSocket(socketUrl(), [SOCKET_PROTOCOL, identity.secret]),
  state: openStateStore(database),
  plays: openPlayStore(database),
  store: media.kind === 'ready' ? media.store : undefined,
  clock,
  log,
});

/** Installs newer versions of the app around this player; `onGivenUp` is called when that fails for good. */
function keepInstalled(self: PlayerWindow, looking: Waker, onGivenUp: () => void, signal: AbortSignal): void {
  const { host, log, api, clock, database } = self;
  void keepAppNew(
    {
      ...{ host, looking, log, onGivenUp },
      offered: api.app,
      isQuiet: () => isQuiet(clock.now(), self.live()?.manifest.timeZone ?? 'UTC'),
      tries: () => readValue(database, 'installTries'),
      saveTries: (tries) => writeValue(database, 'installTries', tries),
    },
    signal,
  );
}

/** Makes this window the one that communicates with the server, also for the other windows. */
export async function runDevice(self: PlayerWindow): Promise<Device> {
  const { clock, log, media, display, windows, host } = self;
  const forever = new AbortController().signal;
  let appFailed = false;
  const looking = makeWaker(clock);

  const signer = await openSigner(self);
  const device = makeDevice(
    enrolmentOf(self),
    { ...portsOf(self), signer },
    {
      onEnrolling: (enrolling) => windows.setPhase({ kind: 'enrolling', enrolling }),
      onPaired: () => windows.setPhase({ kind: 'paired' }),
      onLive(live) {
        self.setLive(live);
        windows.send({ type: 'live' });
      },
      onProgress: ({ download }) => display.setDownload(download),
      onCommand(command) {
        windows.send({ type: command });
        if (command === 'screenshot') self.sendScreenshot();
        else if (!host.restart?.()) void reload(log, 'restart by command');
      },
      onManifest: (withinMs) => void clock.sleep(clock.random() * withinMs, forever).then(looking.wake),
      playing: () => self.playing,
      problem() {
        if (media.kind === 'refused') return 'storage';
        if (self.broken()) return 'cannotPlay';
        return appFailed ? 'appFailed' : undefined;
      },
    },
  );

  addEventListener('online', () => device.online());
  device.run(forever).catch((error: unknown) => {
    log('error', `the device stopped: ${String(error)}`);
    void startAgain(log, 'the device stopped');
  });
  const onGivenUp = (): void => {
    appFailed = true;
    device.changed();
  };
  keepInstalled(self, looking, onGivenUp, forever);
  return device;
}
