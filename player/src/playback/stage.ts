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
import {
  type Rotation,
  cueSpot,
  isLastOfRound,
  nextProgramme,
  programmeOf,
  reschedule,
} from '@ams/contract/rules/sequence';
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
  /** There is nothing to show, or nothing that works. */
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

/** A file that failed is passed over for so long. */
const BAD_MS = 30_000;
const BLOCKED_MS = 5000;
/** Without a fill the screen is empty between two spots; one that is due begins within this time. */
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

/** Files that failed a moment ago. */
function makeBadFiles() {
  const failedAt = new Map<string, number>();
  return {
    isBad: (sha256: string) => (failedAt.get(sha256) ?? -Infinity) > performance.now() - BAD_MS,
    note: (sha256: string) => void failedAt.set(sha256, performance.now()),
    forgive: () => failedAt.clear(),
  };
}

/** Tells what is on screen, and what has been played. */
function makeReporter({ screen, now: clock, onNow, onPlay, spots }: StagePorts) {
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
      if (rotation.spot && region === rotation.lead && isLastOfRound(rotation, region)) spots.played();
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
    return lead !== undefined && itemsOf(programme, lead).some((item) => !isBad(contentOf(item)));
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
    cue(rotation: Rotation, item: ProgrammeItem): Rotation {
      const programme = programmeOf(rotation);
      endsAt = now() + item.durationMs;
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
  const bad = makeBadFiles();
  const reporter = makeReporter(ports);
  const cues = makeCues(ports, bad.isBad);
  let onScreen: Layer | undefined;
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
      bad.note(contentOf(item));
      ports.onSkip(item, reason);
    },
    cue: cues.cue,
    onLastItem(step) {
      if (step.kind === 'handOver' && !aim) void ahead.prepare(step.rotation);
    },
    onOver(step) {
      if (step.kind === 'finished') ports.onFinished(step.releaseId);
      if (step.kind === 'handOver') void turnTo(step.rotation);
      if (step.kind === 'rest') void rest();
    },
    onShown: reporter.shown,
    onPlayed: reporter.played,
  });

  function clear(): void {
    onScreen?.dispose();
    onScreen = undefined;
    reporter.nothing();
    ports.onEmpty();
  }

  /** Nothing is due, and nothing fills the time. */
  async function rest(): Promise<void> {
    clear();
    const mine = (resting = {});
    await wait(REST_MS);
    if (resting === mine) show(listed);
  }

  /** The first of the programmes, from this one on, that has anything to show. */
  async function firstThatWorks(mine: { rotation: Rotation }): Promise<Layer | undefined> {
    for (let tries = mine.rotation.programmes.length + 1; tries > 0; tries--) {
      const layer = await ahead.prepare(mine.rotation);
      if (layer || aim !== mine) return layer;
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
      clear();
      await wait(BLOCKED_MS);
      if (aim !== mine) return;
      // The choice is made anew: another campaign may work, or the file may have come.
      aim = undefined;
      return show(listed);
    }
    aim = undefined;
    ahead.take();
    layer.rotation = { ...mine.rotation, lanes: layer.rotation.lanes };
    const before = onScreen;
    onScreen = layer;
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
