import { SOCKET_PROTOCOL, VERSION, player } from '@ams/contract';
import { reload } from './reload.ts';
import { isQuiet } from '../platform/quiet.ts';
import { screensOf } from '../platform/screens.ts';
import { openPlayStore, openStateStore, readValue, writeValue } from '../store/database.ts';
import { type Device, makeDevice } from '../sync/device.ts';
import { makeWaker } from '../platform/waker.ts';
import { keepAppNew } from './updates.ts';
import type { PlayerWindow } from './window.ts';

/** A device that stopped (a browser that is shutting its database, say) is started again after this. */
const RETRY_MS = 15_000;

function socketUrl(): string {
  const url = new URL(player.socket.url, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** From here on this window communicates with the server, also for the other windows. */
export function runDevice(self: PlayerWindow): Device {
  const { identity, clock, log, media, database, display, windows, playing, api, host } = self;
  const forever = new AbortController().signal;
  let appFailed = false;
  const looking = makeWaker(clock);

  const device = makeDevice(
    {
      mac: identity.mac,
      enrolmentKey: self.parameters.get('key') ?? undefined,
      screens: screensOf(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      player: { version: VERSION, kind: host.installed ? 'android' : 'browser' },
    },
    {
      api,
      openSocket: () => new WebSocket(socketUrl(), [SOCKET_PROTOCOL, identity.secret]),
      state: openStateStore(database),
      plays: openPlayStore(database),
      store: media.kind === 'ready' ? media.store : undefined,
      clock,
      log,
    },
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
        else if (host.restart) host.restart();
        else void reload(log, 'told to restart');
      },
      onManifest: (withinMs) => void clock.sleep(clock.random() * withinMs, forever).then(looking.wake),
      playing: () => playing,
      problem() {
        if (media.kind === 'refused') return 'storage';
        if (display.broken()) return 'cannotPlay';
        return appFailed ? 'appFailed' : undefined;
      },
    },
  );

  addEventListener('online', () => device.online());
  device.run(forever).catch((error: unknown) => {
    log('error', `the device stopped: ${String(error)}`);
    setTimeout(() => void reload(log, 'the device stopped'), RETRY_MS);
  });
  void keepAppNew(
    {
      host,
      looking,
      log,
      offered: api.app,
      isQuiet: () => isQuiet(clock.now(), self.live()?.manifest.timeZone ?? 'UTC'),
      tries: () => readValue(database, 'installTries'),
      saveTries: (tries) => writeValue(database, 'installTries', tries),
      onGivenUp() {
        appFailed = true;
        device.changed();
      },
    },
    forever,
  );
  return device;
}
