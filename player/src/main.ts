import './platform/zod.ts';
import { runDevice } from './app/lead.ts';
import { type PlayerWindow, type Start, openWindow } from './app/window.ts';
import { chooseLanguage, loadTexts } from './locales/load.ts';
import { makeClock } from './platform/clock.ts';
import { onServiceSign } from './platform/corner.ts';
import { keepAwake, keepServiceWorker } from './platform/kiosk.ts';
import { keptLines, makeLog } from './platform/log.ts';
import { isQuiet, isReloadTime } from './platform/quiet.ts';
import { reload, startAgain } from './app/reload.ts';
import { openSecondScreenIfAllowed } from './platform/screens.ts';
import { showHeldFrame } from './screens/held.ts';
import { showRefused } from './screens/view.ts';
import { movePlays, newestRightPlay, openDatabase, readValue, writeValue } from './store/database.ts';
import { openMediaStore } from './store/media.ts';

const TICK_MS = 500;
/** Losing the time costs at most this, on a device that forgets it without power. */
const KEEP_TIME_MS = 60_000;
const WATCH_MS = 10_000;
/** A clock that is wrong by less counts as right: plays keep their times. */
const WRONG_FROM_MS = 60_000;
/** Storage that was refused is tried again after this. */
const RETRY_MS = 15_000;
/** A browser that clears what a page stored may take this long. Chromium's storage breaks down when it is used meanwhile. */
const AFTER_LOSS_MS = 2000;

const parameters = new URLSearchParams(location.search);
const screen = parameters.get('screen') === 'secondary' ? 'secondary' : 'main';
let now: () => number = Date.now;
const log = makeLog(() => now(), keptLines(`ams-player-log-${screen}`));

/** How far the device's own clock is ahead of the time of the page, which stands still while the device sleeps. */
const aheadMs = () => Date.now() - performance.now();

/** Watchdogs of an unattended device. */
function watch(self: PlayerWindow): void {
  const { display, clock, identity, media } = self;
  let before = aheadMs();
  setInterval(() => {
    const ahead = aheadMs();
    // It was asleep, or its own clock was set: the server knows.
    if (Math.abs(ahead - before) > WRONG_FROM_MS) self.device?.check();
    before = ahead;
  }, TICK_MS);
  setInterval(() => {
    const timeZone = self.live()?.manifest.timeZone ?? 'UTC';
    if (display.frozen()) void reload(log.log, 'the stage is frozen');
    else if (isReloadTime(clock.now(), timeZone, identity.mac, performance.now())) {
      void reload(log.log, 'the nightly reload');
    }
  }, WATCH_MS);
  if (media.kind !== 'refused') return;
  setInterval(() => {
    void openMediaStore().then(async ({ kind }) => {
      if (kind === 'ready') await reload(log.log, 'storage is allowed now');
    });
  }, RETRY_MS);
}

/** Opens the service page on its sign, one at a time; its code comes when it is first asked for. */
function offerService(self: PlayerWindow): void {
  let open = false;
  onServiceSign(() => {
    if (open) return;
    open = true;
    import('./app/service.ts')
      .then(({ openService }) => openService(self))
      .catch((error: unknown) => log.log('error', `service page: ${String(error)}`))
      .finally(() => {
        open = false;
      });
  });
}

/** Resolves between two items, or in the quiet hour; at once before anything plays. */
async function goodMoment(current: () => PlayerWindow | undefined): Promise<void> {
  const self = current();
  if (!self) return;
  const { clock, display } = self;
  const over = new AbortController();
  const quiet = async () => {
    while (!over.signal.aborted && !isQuiet(clock.now(), self.live()?.manifest.timeZone ?? 'UTC')) {
      await clock.sleep(WATCH_MS, over.signal);
    }
  };
  await Promise.race([display.betweenItems(), quiet()]).finally(() => over.abort());
}

async function start(): Promise<void> {
  showHeldFrame();
  let self: PlayerWindow | undefined;
  const lookForPlayer = keepServiceWorker({
    log: log.log,
    goodMoment: () => goodMoment(() => self),
    reload: (why) => reload(log.log, why),
  });
  const database = await openDatabase(() => {
    log.log('error', 'the browser has closed the database');
    lookForPlayer();
    setTimeout(() => self?.device?.check(), AFTER_LOSS_MS);
  });
  // Nothing waits for it: the first play of this start is stored seconds later.
  const before = newestRightPlay(database);
  const keepTime = () => void writeValue(database, 'time', clock.keep()).catch(() => undefined);
  const clock = makeClock({
    wall: Date.now,
    monotonic: () => performance.now(),
    kept: await readValue(database, 'time'),
    // At once: a device that loses power and network within the next minute starts with the right time.
    onCorrected(byMs) {
      keepTime();
      if (!self?.device) return;
      self.windows.send({ type: 'time', time: clock.keep() });
      if (clock.isRight()) return;
      before
        .then((after) => movePlays(database, after, Math.abs(byMs) < WRONG_FROM_MS ? 0 : byMs))
        .catch((error: unknown) => log.log('error', `play log: ${String(error)}`));
    },
  });
  now = clock.now;
  keepAwake();
  const begun: Start = { parameters, screen, database, clock, log: log.log, lines: log.lines, lookForPlayer };
  self = await openWindow(begun);
  const { display, windows } = self;
  display.tick();
  setInterval(display.tick, TICK_MS);
  setInterval(keepTime, KEEP_TIME_MS);
  watch(self);
  offerService(self);
  if (screen === 'main') void openSecondScreenIfAllowed();
  await windows.lead();
  // For a restart before the server has answered.
  before
    .then(async (key) => {
      if (!clock.isRight()) await writeValue(database, 'rightTo', key);
    })
    .catch((error: unknown) => log.log('error', `play log: ${String(error)}`));
  self.device = await runDevice(self);
}

async function sayRefused(error: unknown): Promise<void> {
  log.log('error', `the player did not start: ${String(error)}`);
  void startAgain(log.log, 'trying to start again');
  showRefused(await loadTexts(chooseLanguage(parameters.get('lang'), navigator.languages)));
}

addEventListener('pagehide', log.keep);
start().catch((error: unknown) => void sayRefused(error));
