import { BLACK, contentOf, type ProgrammeItem, type Region, regionsOfSplit } from '@ams/contract';
import { type Rotation, type Step, currentItem, nextStep, programmeOf } from '@ams/contract/rules/sequence';
import type { Clip } from './clip.ts';
import { type Following, type PlaybackPorts, type RegionHost, playRegion, tryClip } from './region.ts';

export interface LayerPorts extends PlaybackPorts {
  /** Whether a file failed a moment ago and is passed over. */
  isBad(sha256: string): boolean;
  /** The rotation with the spot named that follows what the lead shows from now on for so long. */
  cue(rotation: Rotation, durationMs: number): Rotation;
  /** The lead has begun its last item before something else: time to prepare what follows. */
  onLastItem(step: Step): void;
  /** The programme has had its turn. `hasPlayed`: an item of its leading region has run to its end. */
  onOver(rotation: Rotation, step: Step, hasPlayed: boolean): void;
  onShown(rotation: Rotation, region: Region, item: ProgrammeItem): void;
  onPlayed(rotation: Rotation, region: Region, item: ProgrammeItem, durationMs: number): void;
}

/** One programme on the whole screen, its regions decoded and waiting until `start`. */
export interface Layer {
  readonly element: HTMLElement;
  /** Position of each region; replaced when the list of programmes changes. */
  rotation: Rotation;
  /** Begins to play; resolves when every region has presented a frame or has nothing to present. */
  start(): Promise<void>;
  /** Stops every region on its current item; the layer stays visible. */
  stop(): void;
  dispose(): void;
}

/** The next item of a region, skipping items that failed recently; searches at most two rounds. */
function follow(rotation: Rotation, region: Region, isBad: LayerPorts['isBad'], hasPlayed: boolean): Step | undefined {
  const looks = 2 * (rotation.lanes[region]?.order.length ?? 0);
  let step = nextStep(rotation, region, hasPlayed);
  for (let look = 0; look < looks && step?.kind === 'item' && isBad(contentOf(step.item)); look++) {
    step = nextStep(step.rotation, region, hasPlayed);
  }
  return step?.kind === 'item' && isBad(contentOf(step.item)) ? undefined : step;
}

/** The layer on screen waits so long for the first clip of the next one: no longer than for two files that stall. */
const FIRST_CLIP_MS = 15_000;

/** The first clip of a region that can be shown, with the rotation moved on to it. */
async function firstClip(rotation: Rotation, region: Region, element: HTMLElement, ports: LayerPorts) {
  const until = performance.now() + FIRST_CLIP_MS;
  let at = rotation;
  let item = currentItem(at, region);
  for (let tries = rotation.lanes[region]?.order.length ?? 0; item && tries > 0 && performance.now() < until; tries--) {
    const clip = ports.isBad(contentOf(item)) ? undefined : await tryClip(item, element, ports);
    if (clip) return { clip, rotation: at };
    const step = nextStep(at, region);
    if (step?.kind !== 'item') return undefined;
    at = step.rotation;
    item = step.item;
  }
  return undefined;
}

function drawRegions(rotation: Rotation): { element: HTMLElement; regions: Map<Region, HTMLElement> } {
  const programme = programmeOf(rotation);
  const element = document.createElement('div');
  const regions = new Map<Region, HTMLElement>();
  if (!programme) return { element, regions };
  element.className = `layer ${programme.orientation === 'vertical' ? 'rows' : 'columns'} ${programme.fit}`;
  element.dataset['release'] = programme.releaseId;
  element.style.setProperty('--backdrop', programme.background ?? BLACK);
  for (const { region, share } of regionsOfSplit(programme.orientation, programme.split) ?? []) {
    const box = document.createElement('div');
    box.className = 'region';
    box.dataset['region'] = region;
    box.style.flexGrow = String(share);
    element.append(box);
    regions.set(region, box);
  }
  return { element, regions };
}

/** The first clip of each region that has one, and the rotation moved on to them. */
async function firstClips(start: Rotation, regions: ReadonlyMap<Region, HTMLElement>, ports: LayerPorts) {
  const clips = new Map<Region, Clip>();
  let rotation = start;
  await Promise.all(
    [...regions].map(async ([region, box]) => {
      const first = await firstClip(start, region, box, ports);
      if (!first) return;
      clips.set(region, first.clip);
      rotation = { ...rotation, lanes: { ...rotation.lanes, [region]: first.rotation.lanes[region] } };
    }),
  );
  return { clips, rotation };
}

/** A layer's own part in what its regions do; silent once the layer has gone. */
interface LayerHost {
  ports: LayerPorts;
  signal: AbortSignal;
  hasStopped(): boolean;
  /** Whether an item of the leading region has run to its end. */
  hasPlayed: boolean;
  rotation(): Rotation;
  moveTo(rotation: Rotation): void;
}

/** The region's view of the layer. `onSettled`: it has presented a frame or has nothing left to present. */
function regionHost(host: LayerHost, region: Region, onSettled: () => void): RegionHost {
  const { ports, signal } = host;
  /** An item is on screen, where people can see it, and will have played when it is asked what follows. */
  let isShown = false;
  // An item that was hidden for a while was not seen as a whole.
  document.addEventListener('visibilitychange', () => (isShown = false), { signal });
  const next = () => follow(host.rotation(), region, ports.isBad, host.hasPlayed || isShown);
  const peek = (): Following => {
    if (host.hasStopped()) return { kind: 'stop' };
    const step = next();
    if (!step) return { kind: 'blocked' };
    return step.kind === 'item' ? { kind: 'item', item: step.item } : { kind: 'stop' };
  };
  return {
    open: ports.open,
    sound: ports.sound,
    onSkip: (item, reason) => signal.aborted || ports.onSkip(item, reason),
    peek,
    advance() {
      if (signal.aborted) return { kind: 'blocked' };
      isShown = false;
      // No item of the lead begins, with which a spot would be named: one that is due follows now.
      const isBlocked = !host.hasStopped() && !next();
      if (isBlocked && region === host.rotation().lead) host.moveTo(ports.cue(host.rotation(), 0));
      const step = next();
      const following = peek();
      if (following.kind !== 'item') onSettled();
      if (host.hasStopped()) return following;
      if (step?.kind === 'item') host.moveTo(step.rotation);
      else if (step) ports.onOver(host.rotation(), step, host.hasPlayed);
      return following;
    },
    onShown(item) {
      if (signal.aborted) return;
      isShown = !document.hidden;
      onSettled();
      ports.onShown(host.rotation(), region, item);
      if (host.hasStopped() || region !== host.rotation().lead) return;
      host.moveTo(ports.cue(host.rotation(), item.durationMs));
      const step = next();
      if (step && step.kind !== 'item') ports.onLastItem(step);
    },
    onPlayed(item, durationMs) {
      if (signal.aborted) return;
      const { lead, spot } = host.rotation();
      // A spot has had its turn in a hidden window, too: otherwise those of hours would follow each other afterwards.
      host.hasPlayed ||= region === lead && (isShown || spot !== undefined);
      if (isShown) ports.onPlayed(host.rotation(), region, item, durationMs);
    },
  };
}

/** Decodes the first item of every region; undefined when the programme has nothing to show that works. */
export async function prepareLayer(start: Rotation, root: HTMLElement, stage: LayerPorts): Promise<Layer | undefined> {
  const isSilent = programmeOf(start)?.muted === true;
  const sound = () => (isSilent ? { ...stage.sound(), isMuted: true } : stage.sound());
  const ports = { ...stage, sound };
  const { element, regions } = drawRegions(start);
  root.prepend(element);
  const used = new Map([...regions].filter(([region]) => start.lanes[region]));
  const { clips, rotation } = await firstClips(start, used, ports);
  const disposeClips = () => clips.forEach((clip) => clip.dispose());
  const isAlone = !start.spot && start.programmes.length < 2;
  const leadWorks = clips.has(start.lead) || isAlone;
  if (clips.size === 0 || !leadWorks) {
    disposeClips();
    element.remove();
    return undefined;
  }

  const over = new AbortController();
  let started = false;
  let stopped = false;
  const host: LayerHost = {
    ports,
    signal: over.signal,
    hasStopped: () => stopped,
    hasPlayed: false,
    rotation: () => layer.rotation,
    moveTo: (next) => {
      layer.rotation = next;
    },
  };
  /** Resolves when the region has settled or the layer has gone; a region without a first clip holds nobody up. */
  const play = (region: Region, box: HTMLElement) =>
    new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve(), { once: true });
      void playRegion(box, clips.get(region), regionHost(host, region, resolve), over.signal);
      if (!clips.has(region)) resolve();
    });
  const layer: Layer = {
    element,
    rotation,
    async start() {
      started = true;
      await Promise.all([...used].map(([region, box]) => play(region, box)));
    },
    stop() {
      stopped = true;
    },
    dispose() {
      over.abort();
      if (!started) disposeClips();
      element.remove();
    },
  };
  return layer;
}
