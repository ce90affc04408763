import './platform/zod.ts';
import { SOCKET_PROTOCOL, type ScreenName, type StatusMessage, player } from '@ams/contract';
import { type Display, makeDisplay } from './app/display.ts';
import { type Windows, joinWindows } from './app/windows.ts';
import { chooseLanguage, loadTexts } from './locales/load.ts';
import { type Clock, makeClock } from './platform/clock.ts';
import { installServiceWorker, keepAwake, screensOf } from './platform/kiosk.ts';
import { type Log, makeLog } from './platform/log.ts';
import type { Source } from './playback/clip.ts';
import { captureScreen } from './screens/capture.ts';
import { makeView } from './screens/view.ts';
import { type Database, type Identity, openDatabase, openPlayStore, openStateStore } from './store/database.ts';
import { readValue, writeValue } from './store/database.ts';
import { identify } from './store/identity.ts';
import { openMediaStore, storedFile } from './store/media.ts';
import { makePlayerApi } from './sync/api.ts';
import { type Machine, makeMachine } from './sync/machine.ts';
import type { Live, MediaStore, PlayerApi } from './sync/ports.ts';

const VERSION = '0.1.0';
const TICK_MS = 500;
/** Losing the time costs at most this, on a machine that forgets it without power. */
const KEEP_TIME_MS = 60_000;
/** A start that failed (a browser that is shutting its database, say) is tried again after this. */
const RETRY_MS = 15_000;

const parameters = new URLSearchParams(location.search);
const SCREEN: ScreenName = parameters.get('screen') === 'secondary' ? 'secondary' : 'main';

/** What this window and the machine behind it share. */
interface Shared {
  database: Database;
  api: PlayerApi;
  identity: Identity;
  clock: Clock;
  log: Log;
  /** Undefined in an insecure context, where content streams. */
  store: MediaStore | undefined;
  display: Display;
  windows: Windows;
  /** What each screen shows, told by its window. */
  playing: NonNullable<StatusMessage['playing']>;
  setLive(live: Live): void;
  sendScreenshot(): void;
}

function socketUrl(): string {
  const url = new URL(player.socket.url, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** Content from this machine's storage. */
async function openStored(sha256: string): Promise<Source | undefined> {
  const file = await storedFile(sha256);
  if (!file) return undefined;
  const url = URL.createObjectURL(file);
  return { url, release: () => URL.revokeObjectURL(url) };
}

/** Content from the server, where nothing can be stored. */
function openStreamed(live: Live | undefined, sha256: string): Source | undefined {
  const file = live?.manifest.files.find((entry) => entry.sha256 === sha256);
  return file && { url: new URL(file.url, location.href).href, release: () => undefined };
}

/** From here on this window speaks with the server, for the others too. */
function runMachine(shared: Shared): Machine {
  const { identity, clock, log, store, database, display, windows, playing, setLive } = shared;
  const machine = makeMachine(
    {
      mac: identity.mac,
      enrolmentKey: parameters.get('key') ?? undefined,
      screens: screensOf(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      player: { version: VERSION, kind: 'browser' },
    },
    {
      api: shared.api,
      openSocket: () => new WebSocket(socketUrl(), [SOCKET_PROTOCOL, identity.secret]),
      state: openStateStore(database),
      plays: openPlayStore(database),
      store,
      clock,
      log,
    },
    {
      onEnrolling: (enrolling) => windows.setPhase({ kind: 'enrolling', enrolling }),
      onPaired: () => windows.setPhase({ kind: 'paired' }),
      onLive(live) {
        setLive(live);
        windows.send({ type: 'live' });
      },
      onProgress: ({ download }) => display.setDownload(download),
      onCommand(command) {
        windows.send({ type: command });
        if (command === 'restart') location.reload();
        else shared.sendScreenshot();
      },
      playing: () => playing,
      problem: () => (display.broken() ? 'cannotPlay' : undefined),
    },
  );
  addEventListener('online', () => machine.online());
  machine.run(new AbortController().signal).catch((error: unknown) => {
    log('error', `the machine stopped: ${String(error)}`);
    setTimeout(() => location.reload(), RETRY_MS);
  });
  return machine;
}

async function openShared(log: Log, database: Database, clock: Clock): Promise<Shared & { lead(): void }> {
  const identity = await identify(database, parameters.get('mac'));
  const language = chooseLanguage(parameters.get('lang'), navigator.languages);
  const store = openMediaStore();
  const state = openStateStore(database);
  // Nothing may be awaited between joining the other windows and the display they speak to.
  const texts = await loadTexts(language);
  const finished = (await readValue(database, 'finished')) ?? [];
  const paired = await state.paired();
  const playing: Shared['playing'] = {};
  let live = await state.live();
  let machine: Machine | undefined;

  const api = makePlayerApi({
    origin: location.origin,
    secret: identity.secret,
    fetch: (...call) => fetch(...call),
    clock,
  });
  const sendScreenshot = () => {
    captureScreen()
      .then((picture) => picture && api.screenshot(SCREEN, picture))
      .catch((error: unknown) => log('warn', `screenshot: ${String(error)}`));
  };

  const setLive = (next: Live) => {
    live = next;
    display.setLive(next);
  };

  const windows = joinWindows({
    onPhase: (phase) => display.setPhase(phase),
    async onLive() {
      const next = await state.live();
      if (next) setLive(next);
    },
    onNow(screen, now) {
      playing[screen] = now;
      machine?.changed();
    },
    onSuspect: (sha256) => machine?.suspect(sha256),
    onRestart: () => location.reload(),
    onScreenshot: sendScreenshot,
  });

  const display = makeDisplay({
    root: document.querySelector<HTMLElement>('#stage') ?? document.body,
    view: makeView({ texts, language, secure: store !== undefined }),
    screen: SCREEN,
    mac: identity.mac,
    plays: openPlayStore(database),
    clock,
    log,
    open: async (sha256) => (store ? openStored(sha256) : openStreamed(live, sha256)),
    finished,
    keepFinished: (releases) => void writeValue(database, 'finished', [...releases]),
    onSuspect(sha256) {
      if (machine) machine.suspect(sha256);
      else windows.send({ type: 'suspect', sha256 });
    },
    onNow(now) {
      playing[SCREEN] = now;
      windows.send({ type: 'now', screen: SCREEN, now });
      machine?.changed();
    },
  });

  addEventListener('pagehide', () => windows.send({ type: 'now', screen: SCREEN, now: null }));
  if (live) setLive(live);
  if (paired) display.setPhase({ kind: 'paired' });
  const shared = { database, api, identity, clock, log, store, display, windows, playing, setLive, sendScreenshot };
  const lead = () => {
    machine = runMachine(shared);
  };
  return { ...shared, lead };
}

async function start(): Promise<void> {
  const database = await openDatabase();
  const clock = makeClock({
    wall: Date.now,
    monotonic: () => performance.now(),
    kept: await readValue(database, 'time'),
  });
  const { log } = makeLog(clock.now);
  installServiceWorker(log);
  keepAwake();
  const { display, windows, lead } = await openShared(log, database, clock);
  display.tick();
  setInterval(display.tick, TICK_MS);
  setInterval(() => void writeValue(database, 'time', clock.keep()), KEEP_TIME_MS);
  await windows.lead();
  lead();
}

start().catch((error: unknown) => {
  makeLog(Date.now).log('error', `the player did not start: ${String(error)}`);
  setTimeout(() => location.reload(), RETRY_MS);
});
