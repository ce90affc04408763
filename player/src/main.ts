import './platform/zod.ts';
import { type Play, type StatusMessage, type ScreenName, SOCKET_PROTOCOL, player } from '@ams/contract';
import { chooseLanguage, loadTexts } from './locales/load.ts';
import { makeClock } from './platform/clock.ts';
import { installServiceWorker, keepAwake, screensOf } from './platform/kiosk.ts';
import { makeLog } from './platform/log.ts';
import { type Now, type Phase, joinWindows } from './platform/windows.ts';
import type { Source } from './playback/clip.ts';
import { makeProgrammes } from './playback/programmes.ts';
import { makeStage } from './playback/stage.ts';
import { type View, makeView } from './screens/view.ts';
import { openDatabase, openPlayStore, openStateStore, readValue, writeValue } from './store/database.ts';
import { identify } from './store/identity.ts';
import { openMediaStore, storedFile } from './store/media.ts';
import { makePlayerApi } from './sync/api.ts';
import { type Machine, makeMachine } from './sync/machine.ts';
import type { EnrolRequest, Live } from './sync/ports.ts';

const VERSION = '0.1.0';
const TICK_MS = 500;

const parameters = new URLSearchParams(location.search);
const SCREEN: ScreenName = parameters.get('screen') === 'secondary' ? 'secondary' : 'main';

function socketUrl(): string {
  const url = new URL(player.socket.url, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

async function start(): Promise<void> {
  const database = await openDatabase();
  const identity = await identify(database, parameters.get('mac'));
  const language = chooseLanguage(parameters.get('lang'), navigator.languages);
  const clock = makeClock({
    wall: Date.now,
    monotonic: () => performance.now(),
    lastKnown: await readValue(database, 'time'),
    onCorrected: (now) => void writeValue(database, 'time', now),
  });
  const { log } = makeLog(clock.now);
  const store = openMediaStore();
  const state = openStateStore(database);
  const plays = openPlayStore(database);
  const view = makeView({ texts: await loadTexts(language), language, secure: store !== undefined });

  let live: Live | undefined = await state.live();
  let phase: Phase = (await state.paired()) ? { kind: 'paired' } : { kind: 'starting' };
  let onScreen: (Now & { showClock: boolean }) | undefined;
  let machine: Machine | undefined;
  let download: StatusMessage['download'] | undefined;
  /** Content that was passed over since the last manifest. */
  const broken = new Set<string>();
  const playing: NonNullable<StatusMessage['playing']> = {};

  async function open(sha256: string): Promise<Source | undefined> {
    if (!store) {
      const file = live?.manifest.files.find((entry) => entry.sha256 === sha256);
      return file && { url: new URL(file.url, location.href).href, release: () => undefined };
    }
    const file = await storedFile(sha256);
    if (!file) return undefined;
    const url = URL.createObjectURL(file);
    return { url, release: () => URL.revokeObjectURL(url) };
  }

  function record(play: Play): void {
    broken.delete(play.sha256);
    plays.append(play).catch((error: unknown) => log('error', `play log: ${String(error)}`));
  }

  const stage = makeStage(document.querySelector<HTMLElement>('#stage') ?? document.body, {
    screen: SCREEN,
    now: clock.now,
    open,
    onPlay: record,
    onSkip(item, reason) {
      log('warn', `${item.sha256.slice(0, 8)} skipped: ${reason}`);
      // What is missing is being fetched; the rest is the file's fault.
      if (reason !== 'missing') broken.add(item.sha256);
      machine?.changed();
    },
    onFinished(releaseId) {
      programmes.finish(releaseId);
      update();
    },
    onNow(now) {
      onScreen = now;
      const said = now ? { releaseId: now.releaseId, sha256: now.sha256 } : null;
      playing[SCREEN] = said;
      windows.send({ type: 'now', screen: SCREEN, now: said });
      machine?.changed();
      draw();
    },
  });

  const programmes = makeProgrammes(
    stage,
    (await readValue(database, 'finished')) ?? [],
    (releases) => void writeValue(database, 'finished', [...releases]),
  );

  function currentView(): View {
    if (phase.kind === 'enrolling') return { kind: 'pairing', mac: identity.mac, enrolling: phase.enrolling };
    if (phase.kind === 'starting') return { kind: 'pairing', mac: identity.mac, enrolling: undefined };
    if (live?.manifest.expired) return { kind: 'expired', mac: identity.mac, merchant: live.manifest.merchant };
    if (onScreen) return { kind: 'playing', showClock: onScreen.showClock };
    if (!download || download.state === 'done' || download.totalBytes === 0)
      return { kind: 'standby', percent: undefined };
    return { kind: 'standby', percent: Math.floor((100 * download.doneBytes) / download.totalBytes) };
  }

  const draw = () => view.show(currentView());

  function update(): void {
    const manifest = phase.kind === 'paired' ? live?.manifest : undefined;
    programmes.update(manifest && { manifest, screen: SCREEN }, clock.now());
    draw();
  }

  function setPhase(next: Phase): void {
    phase = next;
    update();
  }

  function setLive(next: Live): void {
    live = next;
    broken.clear();
    stage.forgive();
    update();
  }

  const windows = joinWindows((message) => {
    switch (message.type) {
      case 'live':
        return void state.live().then((next) => next && setLive(next));
      case 'phase':
        return setPhase(message.phase);
      case 'now':
        playing[message.screen] = message.now;
        return machine?.changed();
      case 'hello':
        return machine && windows.send({ type: 'phase', phase });
      case 'restart':
        return location.reload();
    }
  });

  function tick(): void {
    update();
    view.tick(clock.now(), live?.manifest.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  /** From here on this window speaks with the server, for the others too. */
  function lead(): void {
    const request: EnrolRequest = {
      mac: identity.mac,
      enrolmentKey: parameters.get('key') ?? undefined,
      screens: screensOf(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      player: { version: VERSION, kind: 'browser' },
    };
    const api = makePlayerApi({
      origin: location.origin,
      secret: identity.secret,
      fetch: (...call) => fetch(...call),
      clock,
    });
    const openSocket = () => new WebSocket(socketUrl(), [SOCKET_PROTOCOL, identity.secret]);
    const say = (next: Phase) => {
      setPhase(next);
      windows.send({ type: 'phase', phase: next });
    };
    machine = makeMachine(
      request,
      { api, openSocket, store, state, plays, clock, log },
      {
        onEnrolling: (enrolling) => say({ kind: 'enrolling', enrolling }),
        onPaired: () => say({ kind: 'paired' }),
        onLive(next) {
          setLive(next);
          windows.send({ type: 'live' });
        },
        onProgress(progress) {
          download = progress.download;
          draw();
        },
        onReachable: () => undefined,
        onCommand(command) {
          if (command !== 'restart') return;
          windows.send({ type: 'restart' });
          location.reload();
        },
        playing: () => playing,
        broken: () => broken.size > 0,
      },
    );
    addEventListener('online', () => machine?.wake());
    void machine.run(new AbortController().signal);
  }

  tick();
  setInterval(tick, TICK_MS);
  keepAwake();
  windows.send({ type: 'hello' });
  void windows.lead().then(lead);
}

const RETRY_MS = 15_000;

installServiceWorker();
start().catch((error: unknown) => {
  console.error('the player did not start', error);
  setTimeout(() => location.reload(), RETRY_MS);
});
