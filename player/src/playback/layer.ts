import { contentOf, type ProgrammeItem, type Region, regionsOfSplit } from '@ams/contract';
import { type Rotation, type Step, currentItem, nextStep, programmeOf } from '@ams/contract/rules/sequence';
import type { Clip } from './clip.ts';
import { type Following, type PlaybackPorts, type RegionHost, playRegion, tryClip } from './region.ts';

export interface LayerPorts extends PlaybackPorts {
  /** Whether a file failed a moment ago and is passed over. */
  isBad(sha256: string): boolean;
  /** The lead has begun its last item: time to prepare what follows. */
  onLastItem(step: Step): void;
  /** The programme has had its turn. */
  onOver(step: Step): void;
  onShown(rotation: Rotation, region: Region, item: ProgrammeItem): void;
  onPlayed(rotation: Rotation, item: ProgrammeItem, durationMs: number): void;
}

/** One programme on the whole screen, its regions decoded and waiting until `start`. */
export interface Layer {
  readonly element: HTMLElement;
  /** Position of each region; replaced when the list of programmes changes. */
  rotation: Rotation;
  /** Puts it on screen; resolves with its first frame. */
  start(): Promise<void>;
  dispose(): void;
}

/** The next item of a region, skipping items that failed recently; searches at most two rounds. */
function follow(rotation: Rotation, region: Region, isBad: LayerPorts['isBad']): Step | undefined {
  const looks = 2 * (rotation.lanes[region]?.order.length ?? 0);
  let step = nextStep(rotation, region);
  for (let look = 0; look < looks && step?.kind === 'item' && isBad(contentOf(step.item)); look++) {
    step = nextStep(step.rotation, region);
  }
  return step?.kind === 'item' && isBad(contentOf(step.item)) ? undefined : step;
}

/** The first clip of a region that can be shown, with the rotation moved on to it. */
async function firstClip(rotation: Rotation, region: Region, element: HTMLElement, ports: LayerPorts) {
  let at = rotation;
  let item = currentItem(at, region);
  for (let tries = rotation.lanes[region]?.order.length ?? 0; item && tries > 0; tries--) {
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

/** Decodes the first item of every region; undefined when the programme has nothing to show that works. */
export async function prepareLayer(start: Rotation, root: HTMLElement, ports: LayerPorts): Promise<Layer | undefined> {
  const { element, regions } = drawRegions(start);
  const over = new AbortController();
  const clips = new Map<Region, Clip>();
  let rotation = start;
  let started = false;
  root.prepend(element);

  const names = [...regions.keys()].filter((region) => start.lanes[region]);
  await Promise.all(
    names.map(async (region) => {
      const box = regions.get(region);
      const first = box && (await firstClip(start, region, box, ports));
      if (!first) return;
      clips.set(region, first.clip);
      rotation = { ...rotation, lanes: { ...rotation.lanes, [region]: first.rotation.lanes[region] } };
    }),
  );
  const leadWorks = clips.has(start.lead) || start.programmes.length < 2;
  if (clips.size === 0 || !leadWorks) {
    for (const clip of clips.values()) clip.dispose();
    element.remove();
    return undefined;
  }

  /** The region's view of the layer; silent once the layer has gone. */
  function hostOf(region: Region, onFirst: () => void): RegionHost {
    const peek = (): Following => {
      const step = follow(layer.rotation, region, ports.isBad);
      if (!step) return { kind: 'blocked' };
      if (step.kind === 'item') return { kind: 'item', item: step.item };
      return { kind: 'stop' };
    };
    return {
      open: ports.open,
      onSkip: (item, reason) => over.signal.aborted || ports.onSkip(item, reason),
      peek,
      advance() {
        const step = over.signal.aborted ? undefined : follow(layer.rotation, region, ports.isBad);
        if (!step) return { kind: 'blocked' };
        if (step.kind === 'item') {
          layer.rotation = step.rotation;
          return { kind: 'item', item: step.item };
        }
        ports.onOver(step);
        return { kind: 'stop' };
      },
      onShown(item) {
        if (over.signal.aborted) return;
        onFirst();
        ports.onShown(layer.rotation, region, item);
        const step = region === layer.rotation.lead ? follow(layer.rotation, region, ports.isBad) : undefined;
        if (step && step.kind !== 'item') ports.onLastItem(step);
      },
      onPlayed: (item, durationMs) => over.signal.aborted || ports.onPlayed(layer.rotation, item, durationMs),
    };
  }

  const layer: Layer = {
    element,
    rotation,
    start: () =>
      new Promise((resolve) => {
        started = true;
        for (const region of names) {
          const box = regions.get(region);
          // Waits for the lead, and not for it where it has nothing to show.
          const onFirst = region === start.lead || !clips.has(start.lead) ? resolve : () => undefined;
          if (box) void playRegion(box, clips.get(region), hostOf(region, onFirst), over.signal);
        }
      }),
    dispose() {
      over.abort();
      if (!started) for (const clip of clips.values()) clip.dispose();
      element.remove();
    },
  };
  return layer;
}
