import { contentOf, type Programme, type ProgrammeItem, type Screen, type Play } from '@ams/contract';
import type { SkipReason, Source } from './clip.ts';
import { type Layer, type LayerPorts, prepareLayer } from './layer.ts';
import { type Rotation, nextProgramme, programmeOf, reschedule } from '@ams/contract/rules/sequence';

export interface StagePorts {
  screen: Screen;
  /** Corrected time, milliseconds since 1970. */
  now(): number;
  open(sha256: string): Promise<Source | undefined>;
  onPlay(play: Play): void;
  onSkip(item: ProgrammeItem, reason: SkipReason): void;
  /** A release that plays once has done so. */
  onFinished(releaseId: string): void;
  /** The visible item of the leading region with its duration, or nothing. */
  onNow(now: { releaseId: string; sha256: string; durationMs: number; showClock: boolean } | undefined): void;
}

export interface Stage {
  /** Plays these programmes one after the other, going on with the one on screen when it is among them. */
  show(programmes: readonly Programme[]): void;
  /** Forgets failed files, because they may have been downloaded again. */
  forgive(): void;
}

/** A file that failed is passed over for so long. */
const BAD_MS = 30_000;
const BLOCKED_MS = 5000;
const DAY_MS = 86_400_000;

/** A layer whose lead does not start is put on screen after this all the same. */
const START_MS = 15_000;

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

/** Two layers, one on screen and one being decoded beneath it; a layer goes only when the next has its first frame. */
export function makeStage(root: HTMLElement, ports: StagePorts): Stage {
  const bad = new Map<string, number>();
  let onScreen: Layer | undefined;
  let now: Now;
  /** The target of the current transition; work for an older target is discarded. */
  let aim: { rotation: Rotation } | undefined;

  const sayNow = (next: Now) => {
    now = next;
    ports.onNow(next);
  };

  const ahead = makeAhead(root, {
    open: ports.open,
    isBad: (sha256) => (bad.get(sha256) ?? -Infinity) > performance.now() - BAD_MS,
    onSkip(item, reason) {
      bad.set(contentOf(item), performance.now());
      ports.onSkip(item, reason);
    },
    onLastItem(step) {
      if (step.kind === 'handOver' && !aim) void ahead.prepare(step.rotation);
    },
    onOver(step) {
      if (step.kind === 'finished') ports.onFinished(step.releaseId);
      if (step.kind === 'handOver') void turnTo(step.rotation);
    },
    onShown(rotation, region, item) {
      const programme = programmeOf(rotation);
      if (!programme || (region !== rotation.lead && now?.releaseId === programme.releaseId)) return;
      const { releaseId, showClock } = programme;
      sayNow({ releaseId, sha256: contentOf(item), durationMs: item.durationMs, showClock });
    },
    onPlayed(rotation, item, durationMs) {
      const releaseId = programmeOf(rotation)?.releaseId;
      if (!releaseId) return;
      const at = new Date(ports.now() - durationMs).toISOString();
      ports.onPlay({
        releaseId,
        sha256: contentOf(item),
        at,
        durationMs: Math.min(durationMs, DAY_MS),
        screen: ports.screen,
      });
    },
  });

  function clear(): void {
    onScreen?.dispose();
    onScreen = undefined;
    if (now) sayNow(undefined);
  }

  /** The first of the programmes, from this one on, that has anything to show. */
  async function firstThatWorks(mine: { rotation: Rotation }): Promise<Layer | undefined> {
    for (const _ of mine.rotation.programmes) {
      const layer = await ahead.prepare(mine.rotation);
      if (layer || aim !== mine) return layer;
      mine.rotation = nextProgramme(mine.rotation) ?? mine.rotation;
    }
    return undefined;
  }

  /** Shows a programme; the old one stays until the new one's first frame. */
  async function turnTo(rotation: Rotation): Promise<void> {
    const mine = { rotation };
    aim = mine;
    const layer = await firstThatWorks(mine);
    if (aim !== mine) return;
    if (!layer) {
      clear();
      await wait(BLOCKED_MS);
      if (aim === mine) void turnTo({ ...mine.rotation, turn: mine.rotation.turn + 1 });
      return;
    }
    aim = undefined;
    ahead.take();
    const { programmes, current } = mine.rotation;
    layer.rotation = { ...layer.rotation, programmes, current };
    const before = onScreen;
    onScreen = layer;
    await Promise.race([layer.start(), wait(START_MS)]);
    before?.dispose();
  }

  return {
    show(programmes) {
      const next = reschedule(aim?.rotation ?? onScreen?.rotation, programmes, Math.floor(Math.random() * 2 ** 31));
      if (next.kind === 'goOn') {
        if (aim) return void turnTo(next.rotation);
        // Items decoded ahead belong to the previous list.
        ahead.drop();
        if (onScreen) onScreen.rotation = next.rotation;
        return;
      }
      aim = undefined;
      ahead.drop();
      if (next.kind === 'nothing') clear();
      else void turnTo(next.rotation);
    },
    forgive: () => bad.clear(),
  };
}
