import {
  contentOf,
  type Manifest,
  type Play,
  type ProgrammeItem,
  type Region,
  isDark,
  isWithinHours,
  regionsOf,
} from '@ams/contract';
import {
  type Rotation,
  cueSpot,
  currentItem,
  isLastOfRound,
  nextStep,
  programmeOf,
  reschedule,
} from '@ams/contract/rules/sequence';
import { isPaced } from '@ams/contract/rules/spots';
import type { Clock } from '@ams/player/clock';
import { timetable } from '@ams/player/schedule';
import type { Spots } from '@ams/player/spots';
import type { Finished } from '@ams/player/store';
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
  /** Chooses and counts the spots of campaigns. */
  spots: Spots;
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
  #finished: Finished = {};
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
    const { clock, seed, spots } = this.#ports;
    const manifest = this.#manifest;
    if (manifest) spots.follow(manifest, 'main');
    const next = timetable(manifest?.screens.main ?? [], this.#finished, clock.now(), manifest?.timeZone ?? 'UTC');
    this.#finished = next.finished;
    const playing = manifest && this.#shines(manifest) ? next.playing : [];
    const key = JSON.stringify(playing);
    const isResting = !this.#rotation && playing.some(isPaced);
    if (key === this.#playing && !isResting) return;
    this.#playing = key;
    const hasFill = playing.some((programme) => !isPaced(programme));
    const due = spots.choose(playing.filter(isPaced), clock.now(), undefined, hasFill);
    const change = reschedule(this.#rotation, playing, seed, due);
    if (change.kind === 'begin') this.#begin(change.rotation);
    else if (change.kind === 'goOn') this.#rotation = change.rotation;
    else if (this.#rotation) this.#clear();
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
    const { clock, onNow, onPlay, spots } = this.#ports;
    while (this.#rotation && !signal.aborted) {
      const programme = programmeOf(this.#rotation);
      const item = currentItem(this.#rotation, region);
      if (!programme || !item) return;
      const { releaseId } = programme;
      const sha256 = contentOf(item);
      if (region === this.#rotation.lead) onNow({ releaseId, sha256 });
      const at = new Date(clock.now()).toISOString();
      if (region === this.#rotation.lead) spots.begun(this.#rotation.turn, programme, clock.now());
      const durationMs = Math.max(item.durationMs, SHORTEST_MS);
      await clock.sleep(durationMs, signal);
      if (signal.aborted) return;
      if (this.#rotation.spot && region === this.#rotation.lead && isLastOfRound(this.#rotation, region))
        spots.played();
      onPlay({ releaseId, sha256, at, durationMs, screen: 'main' });
      this.#advance(region);
    }
  }

  /** The rotation with the spot that is due now. */
  #cued(rotation: Rotation): Rotation {
    const { paced, programmes } = rotation;
    const { clock, spots } = this.#ports;
    return cueSpot(rotation, spots.choose(paced, clock.now(), programmeOf(rotation), programmes.length > 0));
  }

  #advance(region: Region): void {
    const step = this.#rotation && nextStep(this.#cued(this.#rotation), region);
    switch (step?.kind) {
      case 'item':
        this.#rotation = step.rotation;
        return;
      case 'handOver':
        return this.#begin(step.rotation);
      case 'finished':
        this.#finished = { ...this.#finished, [step.releaseId]: this.#ports.clock.now() };
        return this.#update();
      case 'rest':
      case undefined:
        return this.#clear();
    }
  }
}
