import {
  contentOf,
  type Manifest,
  type Play,
  type ProgrammeItem,
  type Region,
  isDark,
  isWithinHours,
} from '@ams/contract';
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
  /** Plays the programmes of this manifest, or nothing, from now on. */
  show(manifest: Manifest | undefined): void;
  /** Follows the schedules until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const TICK_MS = 1000;
/** Without a minimum, an item of unknown length would end at once and repeat without a pause. */
const SHORTEST_MS = 1000;

/** A main screen without a picture: each item takes as long as it would, by the player's own sequence. */
export class SimulatedScreen implements Screen {
  readonly #ports: ScreenPorts;
  #manifest: Manifest | undefined;
  #finished: ReadonlySet<string> = new Set();
  /** The programmes that play, as JSON. */
  #playing = '[]';
  #rotation: Rotation | undefined;
  #turn = new AbortController();

  constructor(ports: ScreenPorts) {
    this.#ports = ports;
  }

  showing(): Showing | undefined {
    const rotation = this.#rotation;
    const programme = rotation && programmeOf(rotation);
    if (!rotation || !programme) return undefined;
    const items = new Map<Region, ProgrammeItem>();
    for (const region of regionsOf(programme)) {
      const item = currentItem(rotation, region);
      if (item) items.set(region, item);
    }
    return { programme, items };
  }

  show(manifest: Manifest | undefined): void {
    this.#manifest = manifest;
    this.#update();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#update();
      await this.#ports.clock.sleep(TICK_MS, signal);
    }
    this.#turn.abort();
  }

  #update(): void {
    const { clock, seed } = this.#ports;
    const manifest = this.#manifest;
    const programmes = manifest && this.#shines(manifest) ? manifest.screens.main : [];
    const next = timetable(programmes, this.#finished, clock.now(), manifest?.timeZone ?? 'UTC');
    this.#finished = next.finished;
    const key = JSON.stringify(next.playing);
    if (key === this.#playing) return;
    this.#playing = key;
    const change = reschedule(this.#rotation, next.playing, seed);
    if (change.kind === 'begin') this.#begin(change.rotation);
    else if (change.kind === 'goOn') this.#rotation = change.rotation;
    else this.#clear();
  }

  /** Neither expired nor outside its working hours. */
  #shines(manifest: Manifest): boolean {
    const now = this.#ports.clock.now();
    return !isDark(manifest, now) && isWithinHours(manifest.workingHours ?? null, now, manifest.timeZone);
  }

  #clear(): void {
    this.#turn.abort();
    this.#rotation = undefined;
    this.#ports.onNow(undefined);
  }

  #begin(next: Rotation): void {
    this.#turn.abort();
    this.#turn = new AbortController();
    this.#rotation = next;
    const programme = programmeOf(next);
    if (programme) for (const region of regionsOf(programme)) void this.#playRegion(region, this.#turn.signal);
  }

  async #playRegion(region: Region, signal: AbortSignal): Promise<void> {
    const { clock, onNow, onPlay } = this.#ports;
    while (this.#rotation && !signal.aborted) {
      const releaseId = programmeOf(this.#rotation)?.releaseId;
      const item = currentItem(this.#rotation, region);
      if (!releaseId || !item) return;
      const sha256 = contentOf(item);
      if (region === this.#rotation.lead) onNow({ releaseId, sha256 });
      const at = new Date(clock.now()).toISOString();
      const durationMs = Math.max(item.durationMs, SHORTEST_MS);
      await clock.sleep(durationMs, signal);
      if (signal.aborted) return;
      onPlay({ releaseId, sha256, at, durationMs, screen: 'main' });
      this.#advance(region);
    }
  }

  #advance(region: Region): void {
    const step = this.#rotation && nextStep(this.#rotation, region);
    switch (step?.kind) {
      case 'item':
        this.#rotation = step.rotation;
        return;
      case 'handOver':
        return this.#begin(step.rotation);
      case 'finished':
        this.#finished = new Set([...this.#finished, step.releaseId]);
        return this.#update();
      case undefined:
        return this.#clear();
    }
  }
}
