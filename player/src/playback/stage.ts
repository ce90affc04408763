import {
  contentOf,
  itemsOf,
  leadOf,
  type Play,
  type Programme,
  type ProgrammeItem,
  type ProgrammeQr,
  type Region,
  type Screen,
} from '@ams/contract';
import { type SkipReason, type Sound, type Source, uncover } from './clip.ts';
import { type Layer, type LayerPorts, prepareLayer } from './layer.ts';
import { type Rotation, cueSpot, nextProgramme, programmeOf, reschedule } from '@ams/contract/rules/sequence';
import { isPaced, type Paced } from '@ams/contract/rules/spots';
import type { Spots } from './spots.ts';

export interface StagePorts {
  screen: Screen;
  /** Corrected time, milliseconds since 1970. */
  now(): number;
  open(sha256: string): Promise<Source | undefined>;
  sound(): Sound;
  /** Chooses and counts the spots of campaigns. */
  spots: Pick<Spots, 'choose' | 'begun' | 'played'>;
  /** `isLead`: of the region that decides when the programme hands over. */
  onPlay(play: Play, isLead: boolean): void;
  onSkip(item: ProgrammeItem, reason: SkipReason): void;
  /** A release that plays once has done so. */
  onFinished(releaseId: string): void;
  /** The visible item of the leading region with its duration, or nothing. */
  onNow(
    now:
      | { releaseId: string; sha256: string; durationMs: number; showClock: boolean; qr?: ProgrammeQr | undefined }
      | undefined,
  ): void;
  /** There is nothing to show, or nothing that works: what is on screen, if anything, stays beyond its time. */
  onEmpty(): void;
}

export interface Stage {
  /** Plays these programmes one after the other, continuing with the one on screen if it is among them. */
  show(programmes: readonly Programme[]): void;
  /** Applies another volume at once to what plays, and silence; sound begins with the next item. */
  hear(): void;
  /** Forgets failed files, because they may have been downloaded again. */
  forgive(): void;
}

/** A file or release that failed is passed over for so long; one that stalled, for twice as long each further time. */
const BAD_MS = 30_000;
const BAD_MAX_MS = 16 * BAD_MS;
/** While nothing plays, something that is due begins within this time. */
const REST_MS = 1000;
const DAY_MS = 86_400_000;

type Now = Parameters<StagePorts['onNow']>[0];

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Layers being decoded ahead: at most one, named by the turn of its rotation. */
function makeAhead(root: HTMLElement, ports: LayerPorts) {
  let coming: { turn: number; layer: Promise<Layer | undefined> } | undefined;
  const drop = () => {
    void coming?.layer.then((layer) => layer?.dispose());
    coming = undefined;
  };
  return {
    drop,
    prepare(rotation: Rotation): Promise<Layer | undefined> {
      if (coming?.turn === rotation.turn) return coming.layer;
      drop();
      const layer = prepareLayer(rotation, root, ports);
      coming = { turn: rotation.turn, layer };
      return layer;
    },
    /** The layer now belongs to the screen. */
    take: () => {
      coming = undefined;
    },
  };
}

/** Files that failed a moment ago, and releases whose spot did; `key` is a hash or an id. */
function makeFailures() {
  const failures = new Map<string, { at: number; banMs: number; hasStalled: boolean }>();
  const last = (key: string) => {
    const failure = failures.get(key);
    return failure && performance.now() - failure.at < failure.banMs ? failure : undefined;
  };
  return {
    isBad: (key: string) => last(key) !== undefined,
    hasStalled: (key: string) => last(key)?.hasStalled === true,
    note(key: string, hasStalled: boolean): void {
      const before = failures.get(key)?.banMs ?? 0;
      const banMs = hasStalled ? Math.min(Math.max(BAD_MS, 2 * before), BAD_MAX_MS) : BAD_MS;
      failures.set(key, { at: performance.now(), banMs, hasStalled });
    },
    works: (key: string) => void failures.delete(key),
    forgive: () => failures.clear(),
  };
}

/** Tells what is on screen, and what has been played. */
function makeReporter({ screen, now: clock, onNow, onPlay }: StagePorts) {
  let now: Now;
  /** The region that tells what is on screen: the leading one, or another one until that plays. */
  let speaker: Region | undefined;
  const say = (next: Now) => {
    now = next;
    onNow(next);
  };
  return {
    nothing(): void {
      speaker = undefined;
      if (now) say(undefined);
    },
    shown(rotation: Rotation, region: Region, item: ProgrammeItem): void {
      const programme = programmeOf(rotation);
      const speaks = region === rotation.lead || region === speaker || now?.releaseId !== programme?.releaseId;
      if (!programme || !speaks) return;
      speaker = region;
      const { releaseId, showClock, qr } = programme;
      say({ releaseId, sha256: contentOf(item), durationMs: item.durationMs, showClock, qr });
    },
    played(rotation: Rotation, region: Region, item: ProgrammeItem, durationMs: number): void {
      const releaseId = programmeOf(rotation)?.releaseId;
      if (!releaseId) return;
      const at = new Date(clock() - durationMs).toISOString();
      const play = { releaseId, sha256: contentOf(item), at, durationMs: Math.min(durationMs, DAY_MS), screen };
      onPlay(play, region === rotation.lead);
    },
  };
}

/** Chooses what follows on a stage among the campaigns whose files work. */
function makeCues({ spots, now }: StagePorts, isBad: (sha256: string) => boolean) {
  /** When the item of the leading region ends that is on screen. */
  let endsAt = 0;
  /** A spot needs its leading region, which decides when it is over. */
  const works = (programme: Paced) => {
    const lead = leadOf(programme);
    if (lead === undefined || isBad(programme.releaseId)) return false;
    return itemsOf(programme, lead).some((item) => !isBad(contentOf(item)));
  };
  const again = (rotation: Rotation): Rotation => {
    const { paced, programmes } = rotation;
    const last = programmeOf(rotation);
    return cueSpot(rotation, spots.choose(paced.filter(works), endsAt, last, programmes.length > 0));
  };
  return {
    /** The spot that is due on an empty screen. */
    first: (programmes: readonly Programme[]) =>
      spots.choose(
        programmes.filter(isPaced).filter(works),
        now(),
        undefined,
        programmes.some((each) => !isPaced(each)),
      ),
    /** Another list: the choice is made anew. */
    again,
    cue(rotation: Rotation, durationMs: number): Rotation {
      const programme = programmeOf(rotation);
      endsAt = now() + durationMs;
      if (programme) spots.begun(rotation.turn, programme, now());
      return again(rotation);
    },
  };
}

/**
 * Two layers, one on screen and one being decoded beneath it; a layer goes only when the next one has really presented
 * its first frames.
 */
export function makeStage(root: HTMLElement, ports: StagePorts): Stage {
  const bad = makeFailures();
  const reporter = makeReporter(ports);
  const cues = makeCues(ports, bad.isBad);
  let onScreen: Layer | undefined;
  /** A layer that has had its turn and stays because what should follow does not work. */
  let held: Layer | undefined;
  /** The target of the current transition; work for an older target is discarded. */
  let aim: { rotation: Rotation } | undefined;
  let listed: readonly Programme[] = [];
  /** Set while the screen is empty until a spot is due. */
  let resting: object | undefined;

  const ahead = makeAhead(root, {
    open: ports.open,
    sound: ports.sound,
    isBad: bad.isBad,
    onSkip(item, reason) {
      bad.note(contentOf(item), reason === 'stalled');
      ports.onSkip(item, reason);
    },
    cue: cues.cue,
    onLastItem(step) {
      if (step.kind === 'handOver' && !aim) void ahead.prepare(step.rotation);
    },
    onOver(rotation, step, hasPlayed) {
      // At the end of its turn, because its last items may be passed over. Uncounted, it would be due again at once.
      if (rotation.spot && hasPlayed) ports.spots.played();
      // A spot is one round: what its other regions would repeat until the next first frame was not ordered.
      if (onScreen?.rotation.spot) onScreen.stop();
      if (step.kind === 'finished') ports.onFinished(step.releaseId);
      // Another list has been shown: what follows in the previous one must not take the place of its beginning.
      if (aim) return;
      if (step.kind === 'handOver') void turnTo(step.rotation);
      if (step.kind === 'rest') void rest();
    },
    onShown(rotation, region, item) {
      bad.works(contentOf(item));
      if (rotation.spot && region === rotation.lead) bad.works(rotation.spot.programme.releaseId);
      reporter.shown(rotation, region, item);
    },
    onPlayed(rotation, region, item, durationMs) {
      if (!held) reporter.played(rotation, region, item, durationMs);
    },
  });

  function clear(): void {
    onScreen?.dispose();
    held?.dispose();
    onScreen = held = undefined;
    reporter.nothing();
    ports.onEmpty();
  }

  /** Leaves the last good picture on screen, if it still may be there; its plays count no more. */
  function hold(): void {
    const last = onScreen ?? held;
    const releaseId = last && programmeOf(last.rotation)?.releaseId;
    if (!listed.some((programme) => programme.releaseId === releaseId)) return clear();
    last?.stop();
    held = last;
    onScreen = undefined;
    ports.onEmpty();
  }

  /** Nothing that works is due, and nothing fills the time: only in place of a spot that failed does a picture stay. */
  async function rest(): Promise<void> {
    if (listed.some(({ releaseId }) => bad.isBad(releaseId))) hold();
    else clear();
    const mine = (resting = {});
    await wait(REST_MS);
    if (resting === mine) show(listed);
  }

  /**
   * A spot that does not work. If time ran out before all of its files were tried, those that stalled are passed over for
   * longer than it is, so that the next attempt gets to the others.
   */
  function noteSpot(programme: Paced): void {
    const lead = leadOf(programme);
    const files = lead ? itemsOf(programme, lead).map(contentOf) : [];
    const stalled = new Set(files.filter(bad.hasStalled));
    const isTried = files.every(bad.isBad);
    if (!isTried) for (const file of stalled) bad.note(file, true);
    bad.note(programme.releaseId, isTried && stalled.size > 0);
  }

  /** The first of the programmes, from this one on, that has anything to show. */
  async function firstThatWorks(mine: { rotation: Rotation }): Promise<Layer | undefined> {
    for (let tries = mine.rotation.programmes.length + 1; tries > 0; tries--) {
      const layer = await ahead.prepare(mine.rotation);
      if (layer || aim !== mine) return layer;
      if (mine.rotation.spot) noteSpot(mine.rotation.spot.programme);
      mine.rotation = nextProgramme(mine.rotation) ?? mine.rotation;
    }
    return undefined;
  }

  /** Shows a programme; the old one stays until the new one's first frames. */
  async function turnTo(rotation: Rotation): Promise<void> {
    const mine = { rotation };
    aim = mine;
    const layer = await firstThatWorks(mine);
    if (aim !== mine) return;
    if (!layer) {
      hold();
      // The choice is made anew: another campaign may work, or the file may have come.
      if (!cues.first(listed)) await wait(REST_MS);
      if (aim !== mine) return;
      aim = undefined;
      return show(listed);
    }
    aim = undefined;
    ahead.take();
    layer.rotation = { ...mine.rotation, lanes: layer.rotation.lanes };
    const before = onScreen ?? held;
    held = undefined;
    onScreen = layer;
    // It stays visible until the first frames of the new one, and must not hand over meanwhile.
    before?.stop();
    if (before) uncover(before.element);
    await layer.start();
    before?.dispose();
  }

  function show(programmes: readonly Programme[]): void {
    listed = programmes;
    resting = undefined;
    const shown = aim?.rotation ?? onScreen?.rotation;
    const next = reschedule(shown, programmes, Math.floor(Math.random() * 2 ** 31), cues.first(programmes));
    if (next.kind === 'goOn') {
      if (aim) return void turnTo(next.rotation);
      // Items decoded ahead belong to the previous list.
      ahead.drop();
      if (onScreen) onScreen.rotation = cues.again(next.rotation);
      return;
    }
    aim = undefined;
    ahead.drop();
    if (next.kind === 'begin') return void turnTo(next.rotation);
    if (programmes.some(isPaced)) void rest();
    else clear();
  }

  return {
    show,
    hear() {
      const { isMuted, volume } = ports.sound();
      for (const video of root.querySelectorAll('video')) {
        video.muted ||= isMuted;
        video.volume = volume;
      }
    },
    forgive: bad.forgive,
  };
}
