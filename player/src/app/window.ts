import type { DeviceScreen, Screen, StatusMessage } from '@ams/contract';
import { type Texts, chooseLanguage, loadTexts, localeOf } from '../locales/load.ts';
import type { Clock } from '../platform/clock.ts';
import { type Host, hostOf } from '../platform/host.ts';
import type { LogLine, Log } from '../platform/log.ts';
import { reload } from './reload.ts';
import { type Rotation, parseRotation, turnPage } from '../platform/rotation.ts';
import { screensOf } from '../platform/screens.ts';
import type { Source } from '../playback/clip.ts';
import { captureScreen, reducePicture } from '../screens/capture.ts';
import { makeView } from '../screens/view.ts';
import { type Database, type Identity, openPlayStore, openStateStore } from '../store/database.ts';
import { readValue, writeValue } from '../store/database.ts';
import { upgradeFinished } from '../store/earlier.ts';
import { identify } from '../store/identity.ts';
import { type MediaAccess, openMediaStore, storedFile } from '../store/media.ts';
import { makePlayerApi } from '../sync/api.ts';
import type { Device } from '../sync/device.ts';
import type { Live } from '../store/ports.ts';
import type { PlayerApi } from '../sync/ports.ts';
import { type Display, makeDisplay } from './display.ts';
import { makePanel } from './panel.ts';
import { type Showing, type Windows, joinWindows } from './windows.ts';

/** Start parameters of the page. */
export interface Start {
  parameters: URLSearchParams;
  screen: Screen;
  database: Database;
  clock: Clock;
  log: Log;
  lines: () => readonly LogLine[];
  /** Looks for a new version of the player. */
  lookForPlayer: () => void;
}

/** One window of the device, and what it shares with the device behind it. */
export interface PlayerWindow extends Start {
  api: PlayerApi;
  identity: Identity;
  host: Host;
  texts: Texts;
  /** As dates, times and sizes are written. */
  locale: string;
  media: MediaAccess;
  display: Display;
  windows: Windows;
  /** The content of each screen, as reported by its window. */
  playing: NonNullable<StatusMessage['playing']>;
  /** Whether some content of any screen would not play. */
  broken(): boolean;
  /** The device's screens as its main window sees them; undefined in another window until that one reports them. */
  screens: DeviceScreen[] | undefined;
  /** Turns this window for good, and reports the shape of its screen. */
  turn(rotation: Rotation): Promise<void>;
  /** The newest manifest whose files are whole. */
  live(): Live | undefined;
  setLive(live: Live): void;
  sendScreenshot(): void;
  /** Set in the window that syncs. */
  device: Device | undefined;
}

/** Content from this device's storage. */
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

/** Held by the window that plays a screen until it closes or is hidden. */
const lockOf = (screen: Screen) => `ams-screen-${screen}`;

/**
 * Tells whether this window is the first of its screen that can be seen, whenever that changes: what a second one shows
 * and plays is not reported.
 */
function standFirst(screen: Screen, onChange: (isFirst: boolean) => void): void {
  let leave = () => {};
  const stand = () => {
    onChange(false);
    leave();
    if (document.hidden) return;
    // Missing in an insecure context, where windows cannot find each other.
    if (!navigator.locks) return onChange(true);
    void navigator.locks.request(lockOf(screen), () => {
      // It may have waited for another window, and was hidden meanwhile.
      if (document.hidden) return undefined;
      onChange(true);
      return new Promise<void>((resolve) => (leave = resolve));
    });
  };
  document.addEventListener('visibilitychange', stand);
  stand();
}

const GONE: Showing = { now: null, broken: false };

/** Reports what another screen shows, and `GONE` when its window is gone: one that crashed sends no message. */
function followScreen(screen: Screen, tell: (showing: Showing) => void): (showing: Showing) => void {
  let watching = false;
  return (showing) => {
    tell(showing);
    const { now, broken } = showing;
    if (!(now || broken) || watching || !navigator.locks) return;
    watching = true;
    void navigator.locks.request(lockOf(screen), () => {
      watching = false;
      tell(GONE);
    });
  };
}

const rotationKey = (screen: Screen) => (screen === 'main' ? 'rotation' : 'rotationSecondary');

const finishedKey = (screen: Screen) => (screen === 'main' ? 'finishedAt' : 'finishedAtSecondary');
/** Of an earlier player version. */
const onceKey = (screen: Screen) => (screen === 'main' ? 'finished' : 'finishedSecondary');

const spotsKey = (screen: Screen) => (screen === 'main' ? 'spots' : 'spotsSecondary');

/** Turns this window's page and remembers it for its screen. */
async function setRotation({ database, screen }: Start, next: Rotation | undefined): Promise<void> {
  if (next === undefined) return;
  turnPage(next);
  await writeValue(database, rotationKey(screen), next);
}

export const rotationOf = async ({ database, screen }: Start) => (await readValue(database, rotationKey(screen))) ?? 0;

/** The real screen where the host can take its picture, else what this window draws. */
async function takePicture(host: Host, screen: Screen): Promise<Blob | undefined> {
  // The host has one picture of all screens: the window of the main one sends it.
  const real = screen === 'main' ? await host.screenshot?.() : undefined;
  return (real && (await reducePicture(real))) ?? captureScreen();
}

/** Opens the parts that a window needs before it shows anything. */
async function openParts(start: Start) {
  const { parameters, screen, database, clock, log, lookForPlayer } = start;
  const host = hostOf(window, log);
  const identity = await identify(database, parameters.get('mac') ?? host.mac);
  const language = chooseLanguage(parameters.get('lang'), navigator.languages);
  const media = await openMediaStore();
  if (media.kind === 'refused') log('error', `storage refused: ${media.message}`);
  await setRotation(start, parseRotation(parameters.get('rotate')));
  const rotation = await rotationOf(start);
  turnPage(rotation);
  const { secret } = identity;
  const api = makePlayerApi({
    ...{ origin: location.origin, secret, clock },
    fetch: (...call) => fetch(...call),
    onUnreadable: lookForPlayer,
  });
  const sendScreenshot = () => {
    takePicture(host, screen)
      .then((picture) => picture && api.screenshot(screen, picture))
      .catch((error: unknown) => log('warn', `screenshot: ${String(error)}`));
  };
  const locale = localeOf(language, navigator.languages);
  const texts = await loadTexts(language);
  return { host, identity, language, locale, rotation, texts, media, api, sendScreenshot };
}

/** Opens what this window shows and remembers, and its connection with the other windows. */
export async function openWindow(start: Start): Promise<PlayerWindow> {
  const { screen, database, clock, log } = start;
  const { language, rotation, ...parts } = await openParts(start);
  const { texts, locale, media, identity, sendScreenshot } = parts;
  const state = openStateStore(database);
  const plays = openPlayStore(database);
  const finished =
    (await readValue(database, finishedKey(screen))) ??
    upgradeFinished(await readValue(database, onceKey(screen)), clock.now());
  const counted = (await readValue(database, spotsKey(screen))) ?? {};
  const paired = await state.paired();
  const playing: PlayerWindow['playing'] = {};
  let live = await state.live();

  const setLive = (next: Live) => {
    live = next;
    display.setLive(next);
  };
  const broken: Partial<Record<Screen, boolean>> = {};
  const note = (which: Screen, showing: Showing) => {
    playing[which] = showing.now;
    broken[which] = showing.broken;
    self.device?.changed();
  };
  let isFirst = false;
  let shown = GONE;
  /** Tells what this window shows, if it is the first one. */
  const tell = (showing: Showing) => {
    if (!isFirst) return;
    windows.send({ type: 'now', screen, ...showing });
    note(screen, showing);
  };
  const hear = (which: Screen) =>
    followScreen(which, (showing) => {
      if (which !== screen || !isFirst) note(which, showing);
    });
  const follow = { main: hear('main'), secondary: hear('secondary') };

  // Nothing may be awaited between joining the other windows and creating the display that receives their messages.
  const windows = joinWindows({
    onPhase: (phase) => display.setPhase(phase),
    async onLive() {
      const next = await state.live();
      if (next) setLive(next);
    },
    onNow: (from, showing) => follow[from](showing),
    onSuspect: (sha256) => self.device?.suspect(sha256),
    onScreens(screens) {
      if (screen === 'main') return;
      self.screens = screens;
      self.device?.report(screens);
    },
    // The device's own clock is the same in every window. One that asks the server itself is as right.
    onTime: ({ behindMs }) => self.device || clock.correct(Date.now() + behindMs, 0, 0),
    onHello: () => tellScreens(),
    onRestart: () => void reload(log, 'restart'),
    onScreenshot: sendScreenshot,
  });
  const display = makeDisplay({
    root: document.querySelector<HTMLElement>('#stage') ?? document.body,
    view: makeView({ texts, language, locale, storage: media.kind }),
    ...{ screen, mac: identity.mac, clock, log, live, finished, counted },
    // One window speaks for the device.
    panel: makePanel(
      screen === 'main' ? parts.host : { panel: {} },
      document.querySelector<HTMLElement>('#shade') ?? document.body,
    ),
    hasHostVolume: parts.host.panel.setVolume !== undefined,
    plays: { append: async (play) => (isFirst ? plays.append(play) : undefined) },
    open: async (sha256) => (media.kind === 'ready' ? openStored(sha256) : openStreamed(live, sha256)),
    phase: { kind: paired ? 'paired' : 'starting' },
    keepFinished: (next) => void writeValue(database, finishedKey(screen), next),
    keepCounted: (spots) => void writeValue(database, spotsKey(screen), spots),
    onSuspect(sha256) {
      if (self.device) self.device.suspect(sha256);
      else windows.send({ type: 'suspect', sha256 });
    },
    onNow(showing) {
      shown = showing;
      tell(shown);
    },
  });

  /** Another window may be the one that syncs, or become it. */
  const tellScreens = () => {
    if (screen === 'main' && self.screens) windows.send({ type: 'screens', screens: self.screens });
  };

  /** A manifest may have been announced after the one before was read, when this window did not listen yet. */
  const catchUp = async (): Promise<void> => {
    const next = await state.live();
    if (next && next.manifest.version !== live?.manifest.version) setLive(next);
  };
  void catchUp();
  addEventListener('pagehide', () => tell(GONE));
  const self: PlayerWindow = {
    ...{ ...start, ...parts, display, windows, playing, setLive },
    screens: screen === 'main' ? screensOf(rotation) : undefined,
    async turn(next) {
      await setRotation(start, next);
      if (screen !== 'main') return;
      self.screens = screensOf(next);
      self.device?.report(self.screens);
      tellScreens();
    },
    broken: () => Object.values(broken).includes(true),
    live: () => live,
    device: undefined,
  };
  standFirst(screen, (next) => {
    if (!next) tell(GONE);
    isFirst = next;
    tell(shown);
  });
  tellScreens();
  return self;
}
