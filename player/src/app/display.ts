import {
  formatMac,
  SOUND_DEFAULT,
  contentOf,
  type Screen,
  type StatusMessage,
  isDark,
  levelAt,
  type ProgrammeQr,
} from '@ams/contract';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { knownZone } from '../platform/zone.ts';
import type { Sound, Source } from '../playback/clip.ts';
import { isOutsideHours, makeProgrammes } from '../playback/programmes.ts';
import { makeSpots } from '../playback/spots.ts';
import { type Stage, makeStage } from '../playback/stage.ts';
import { isFrameHeld } from '../screens/held.ts';
import type { View, makeView } from '../screens/view.ts';
import type { Finished, KeptSpots, Live, PlayStore } from '../store/ports.ts';
import type { Panel, PanelState } from './panel.ts';
import type { Now, Phase, Showing } from './windows.ts';

export interface DisplayPorts {
  root: HTMLElement;
  view: ReturnType<typeof makeView>;
  screen: Screen;
  mac: string;
  plays: Pick<PlayStore, 'append'>;
  clock: Clock;
  log: Log;
  panel: Panel;
  /** Whether the host sets the volume, so that media play at theirs. */
  hasHostVolume: boolean;
  open(sha256: string): Promise<Source | undefined>;
  /** Releases that play once and had done so before this start. */
  finished: Finished;
  keepFinished(finished: Finished): void;
  /** Spots of campaigns that this screen had played before this start. */
  counted: KeptSpots;
  keepCounted(spots: KeptSpots): void;
  /** What is known from before this start; nothing is drawn of it before the first `tick`. */
  phase: Phase;
  live: Live | undefined;
  /** A file would not play or is not there. */
  onSuspect(sha256: string): void;
  /** The visible content, or whether it plays, has changed. */
  onNow(showing: Showing): void;
}

export interface Display {
  setPhase(phase: Phase): void;
  setLive(live: Live): void;
  setDownload(download: StatusMessage['download']): void;
  download(): StatusMessage['download'] | undefined;
  /** Looks at the clock: what should play now, and what the clocks show. */
  tick(): void;
  /** Resolves between two items, when the play of the first is stored; at once when nothing can be seen. */
  betweenItems(): Promise<void>;
  /** Whether what is on screen should have made room long ago: nothing in the page moves any more. */
  frozen(): boolean;
}

interface State {
  phase: Phase;
  live: Live | undefined;
  /** `since`, `durationMs`: milliseconds of the page's life, and how long it should stay. */
  onScreen: (Now & { showClock: boolean; qr?: ProgrammeQr | undefined; since: number; durationMs: number }) | undefined;
  download: StatusMessage['download'] | undefined;
  /** Stored content is being prepared for the screen. */
  isExpecting: boolean;
}

/** Percent of the content on disk, while some is still to come. */
function percentOf(download: State['download']): number | undefined {
  if (!download || download.state === 'done' || download.totalBytes === 0) return undefined;
  return Math.floor((100 * download.doneBytes) / download.totalBytes);
}

function viewOf({ phase, live, onScreen, download, isExpecting }: State, mac: string, now: number): View {
  if (phase.kind === 'enrolling') return { kind: 'pairing', mac, enrolling: phase.enrolling };
  if (phase.kind === 'starting') return { kind: 'pairing', mac, enrolling: undefined };
  if (live && isOutsideHours(live.manifest, now)) return { kind: 'dark' };
  if (live && isDark(live.manifest, now)) return { kind: 'expired', mac, merchant: live.manifest.merchant };
  if (onScreen) return { kind: 'playing', showClock: onScreen.showClock, qr: onScreen.qr };
  // Without that frame the stage would be seen, which is black until its first clip plays.
  if (isExpecting && isFrameHeld()) return { kind: 'starting' };
  return { kind: 'standby', percent: percentOf(download) };
}

/** Power, brightness and volume at an instant. Without a manifest the screen is on, so that it can be paired. */
function panelOf({ phase, live }: State, now: number): PanelState {
  if (phase.kind !== 'paired' || !live) return { isOn: true, brightness: null, volume: null };
  const { manifest } = live;
  const { timeZone } = manifest;
  return {
    isOn: !isOutsideHours(manifest, now),
    brightness: levelAt(manifest.brightness, manifest.brightnessHours, now, timeZone),
    volume: levelAt(manifest.volume, manifest.volumeHours, now, timeZone),
  };
}

/** A video may stall for ten seconds and a start take fifteen; a working page never takes longer. */
const FROZEN_MS = 60_000;

/** One window: brings phase, manifest and time together on the screen. */
export function makeDisplay(ports: DisplayPorts): Display {
  const { view, clock, log, screen } = ports;
  const ownZone = knownZone();
  const state: State = {
    phase: ports.phase,
    live: ports.live,
    onScreen: undefined,
    download: undefined,
    isExpecting: false,
  };
  /** Content that was passed over and has not played since. */
  const broken = new Set<string>();
  /** Callbacks for the end of the item on screen. */
  const atEnd: (() => void)[] = [];
  const endItem = () => {
    for (const resolve of atEnd.splice(0)) resolve();
  };

  let volume: number | null = null;
  const sound = (): Sound => ({
    isMuted: !(state.live?.manifest.sound ?? SOUND_DEFAULT)[screen],
    volume: ports.hasHostVolume ? 1 : (volume ?? 100) / 100,
  });

  const spots = makeSpots(ports.counted, ports.keepCounted);
  const stage = makeStage(ports.root, {
    screen,
    spots,
    now: clock.now,
    open: ports.open,
    sound,
    onPlay(play, isLead) {
      if (broken.delete(play.sha256)) sayNow();
      ports.plays
        .append(play)
        .catch((error: unknown) => log('error', `play log: ${String(error)}`))
        .finally(() => isLead && endItem());
    },
    onSkip(item, reason) {
      const sha256 = contentOf(item);
      log('warn', `${sha256.slice(0, 8)} skipped: ${reason}`);
      // Missing files are being fetched; other failures are caused by the file.
      if (reason !== 'missing') broken.add(sha256);
      ports.onSuspect(sha256);
      sayNow();
    },
    onFinished(releaseId) {
      programmes.finish(releaseId, clock.now());
      update();
    },
    onNow(now) {
      state.onScreen = now && { ...now, since: performance.now() };
      if (now) state.isExpecting = false;
      sayNow();
      draw();
    },
    onEmpty() {
      state.isExpecting = false;
      if (state.onScreen) state.onScreen.since = performance.now();
      endItem();
      draw();
    },
  });
  const expectantStage: Stage = {
    ...stage,
    show(programmes) {
      state.isExpecting = programmes.length > 0 && !state.onScreen;
      stage.show(programmes);
    },
  };

  const sayNow = () => {
    const { onScreen } = state;
    const now = onScreen ? { releaseId: onScreen.releaseId, sha256: onScreen.sha256 } : null;
    ports.onNow({ now, broken: broken.size > 0 });
  };

  const programmes = makeProgrammes(expectantStage, ports.finished, ports.keepFinished);
  const draw = () => view.show(viewOf(state, formatMac(ports.mac), clock.now()));

  function update(): void {
    const manifest = state.phase.kind === 'paired' ? state.live?.manifest : undefined;
    adjust();
    if (manifest) spots.follow(manifest, screen);
    programmes.update(manifest && { manifest, screen }, clock.now());
    draw();
  }

  /** Sets the panel, and the volume of what plays. */
  function adjust(): void {
    const panel = panelOf(state, clock.now());
    ports.panel.set(panel);
    if (panel.volume === volume) return;
    ({ volume } = panel);
    stage.hear();
  }

  return {
    setPhase(phase) {
      state.phase = phase;
      update();
    },
    setLive(live) {
      state.live = live;
      const wasBroken = broken.size > 0;
      broken.clear();
      if (wasBroken) sayNow();
      stage.forgive();
      stage.hear();
      update();
    },
    setDownload(download) {
      state.download = download;
      draw();
    },
    download: () => state.download,
    tick() {
      update();
      view.tick(clock.now(), state.live?.manifest.timeZone ?? ownZone);
    },
    betweenItems: () =>
      state.onScreen && !document.hidden ? new Promise((resolve) => atEnd.push(resolve)) : Promise.resolve(),
    frozen() {
      const { onScreen } = state;
      // A page that nobody sees is slowed down by the browser.
      if (!onScreen || document.hidden) return false;
      return performance.now() - onScreen.since > onScreen.durationMs * 1.5 + FROZEN_MS;
    },
  };
}
