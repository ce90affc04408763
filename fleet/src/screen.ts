import { contentOf, type Manifest, type Play, type ProgrammeItem, type Region, isDark } from '@ams/contract';
import { type Rotation, currentItem, nextStep, programmeOf, regionsOf, reschedule } from '@ams/contract/rules/sequence';
import type { Clock } from '@ams/player/clock';
import { timetable } from '@ams/player/schedule';
import type { Showing } from './screenshot.ts';

/** The visible item of the leading region. */
export interface Now {
  releaseId: string;
  sha256: string;
}

interface ScreenPorts {
  clock: Clock;
  /** Decides the order of shuffled playlists. */
  seed: number;
  onPlay(play: Play): void;
  onNow(now: Now | undefined): void;
}

export interface Screen {
  /** The visible picture, or undefined if nothing plays. */
  showing(): Showing | undefined;
  /** Plays what this manifest says, or nothing, from now on. */
  show(manifest: Manifest | undefined): void;
  /** Follows the schedules until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const TICK_MS = 1000;
/** A length that is missing must not make an item end at once, for ever. */
const SHORTEST_MS = 1000;

/** A main screen without a picture: each item takes as long as it would, by the player's own sequence. */
export function makeScreen({ clock, seed, onPlay, onNow }: ScreenPorts): Screen {
  let manifest: Manifest | undefined;
  let finished: ReadonlySet<string> = new Set();
  let shown = '[]';
  let rotation: Rotation | undefined;
  let turn = new AbortController();

  function clear(): void {
    turn.abort();
    rotation = undefined;
    onNow(undefined);
  }

  function begin(next: Rotation): void {
    turn.abort();
    turn = new AbortController();
    rotation = next;
    const programme = programmeOf(next);
    if (programme) for (const region of regionsOf(programme)) void playRegion(region, turn.signal);
  }

  async function playRegion(region: Region, signal: AbortSignal): Promise<void> {
    while (rotation && !signal.aborted) {
      const releaseId = programmeOf(rotation)?.releaseId;
      const item = currentItem(rotation, region);
      if (!releaseId || !item) return;
      const sha256 = contentOf(item);
      if (region === rotation.lead) onNow({ releaseId, sha256 });
      const at = new Date(clock.now()).toISOString();
      const durationMs = Math.max(item.durationMs, SHORTEST_MS);
      await clock.sleep(durationMs, signal);
      if (signal.aborted) return;
      onPlay({ releaseId, sha256, at, durationMs, screen: 'main' });
      goOn(region);
    }
  }

  function goOn(region: Region): void {
    const step = rotation && nextStep(rotation, region);
    switch (step?.kind) {
      case 'item':
        rotation = step.rotation;
        return;
      case 'handOver':
        return begin(step.rotation);
      case 'finished':
        finished = new Set([...finished, step.releaseId]);
        return update();
      case undefined:
        return clear();
    }
  }

  function update(): void {
    const programmes = manifest && !isDark(manifest, clock.now()) ? manifest.screens.main : [];
    const next = timetable(programmes, finished, clock.now(), manifest?.timeZone ?? 'UTC');
    finished = next.finished;
    const key = JSON.stringify(next.playing);
    if (key === shown) return;
    shown = key;
    const change = reschedule(rotation, next.playing, seed);
    if (change.kind === 'begin') begin(change.rotation);
    else if (change.kind === 'goOn') rotation = change.rotation;
    else clear();
  }

  return {
    showing() {
      const programme = rotation && programmeOf(rotation);
      if (!rotation || !programme) return undefined;
      const items = new Map<Region, ProgrammeItem>();
      for (const region of regionsOf(programme)) {
        const item = currentItem(rotation, region);
        if (item) items.set(region, item);
      }
      return { programme, items };
    },
    show(next) {
      manifest = next;
      update();
    },
    async run(signal) {
      while (!signal.aborted) {
        update();
        await clock.sleep(TICK_MS, signal);
      }
      turn.abort();
    },
  };
}
