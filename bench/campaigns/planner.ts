import { type Carrier, deviates, type Repaced, replan } from '@ams/contract';
import type { Board } from './board.ts';
import { HOURS, isOpen, type Scenario, SELLABLE } from './scenario.ts';
import { isLost } from './screen.ts';

/** A device that has been silent for this long is not expected to play. */
const SILENT_HOURS = 24;

/**
 * The server's part: it knows what connected devices have played, and re-plans once an hour instead of each minute. It
 * does so when an hour has just begun, because each minute it sees which devices have no connection.
 */
export class Planner {
  readonly #scenario: Scenario;
  readonly #board: Board;
  /** Hours without a connection, with the one that has just begun. */
  readonly #silentFor: number[];
  changes = 0;
  makeGoods = 0;
  /** Of each campaign that became infeasible: the hour in which that was announced. */
  readonly announced = new Map<number, number>();

  constructor(scenario: Scenario, board: Board) {
    this.#scenario = scenario;
    this.#board = board;
    this.#silentFor = scenario.devices.map(() => 0);
  }

  /** Plans after an hour, when the next one has begun. */
  plan(hour: number): void {
    for (const [device, { diesAt }] of this.#scenario.devices.entries()) {
      this.#silentFor[device] = isLost(device, hour + 1, diesAt) ? (this.#silentFor[device] ?? 0) + 1 : 0;
    }
    for (const [number, { ordered, pairs }] of this.#scenario.campaigns.entries()) {
      const carriers = pairs.map((pair) => this.#carrierOf(pair, hour + 1));
      if (carriers.every(({ leftMs }) => leftMs <= 0) || !deviates(ordered, carriers)) continue;
      for (const carrier of carriers) carrier.free = this.#freeOn(Number(carrier.id), hour + 1);
      const { changes, makeGoods, short } = replan(ordered, carriers);
      for (const change of changes) this.#apply(change, hour + 1);
      this.changes += changes.length;
      this.makeGoods += makeGoods;
      if (short > 0 && !this.announced.has(number)) this.announced.set(number, hour);
      if (short === 0) this.announced.delete(number);
    }
  }

  #openOf(pair: number): Float64Array | undefined {
    const { campaigns, devices, pairs } = this.#scenario;
    const { campaign = 0, device = 0 } = pairs[pair] ?? {};
    return campaigns[campaign]?.open[devices[device]?.zone ?? 0];
  }

  #carrierOf(pair: number, hour: number): Carrier {
    const { everyMs, dueBefore, fromMs, played } = this.#board;
    const { campaign = 0, device = 0 } = this.#scenario.pairs[pair] ?? {};
    const open = this.#openOf(pair);
    const now = open?.[hour] ?? 0;
    const period = everyMs[pair] ?? 1;
    const due = (dueBefore[pair] ?? 0) + (now - (fromMs[pair] ?? 0)) / period;
    const silentFor = this.#silentFor[device] ?? 0;
    const isExpected = silentFor > 0 && silentFor <= SILENT_HOURS;
    const known = played[pair] ?? 0;
    return {
      id: `${pair}`,
      everyMs: period,
      spotMs: this.#scenario.campaigns[campaign]?.spotMs ?? 1,
      due,
      played: isExpected ? Math.max(known, Math.ceil(due)) : known,
      leftMs: (open?.[HOURS] ?? 0) - now,
      free: 0,
      isOffline: isExpected,
      isLost: silentFor > SILENT_HOURS,
    };
  }

  /** What is free on the device of a pair in the fullest hour that is left of the flight. */
  #freeOn(pair: number, from: number): number {
    const open = this.#openOf(pair);
    const loads = this.#scenario.loads[this.#scenario.pairs[pair]?.device ?? 0];
    let fullest = 0;
    for (let hour = from; hour < HOURS; hour += 1) {
      if (isOpen(open, hour)) fullest = Math.max(fullest, loads?.[hour] ?? 0);
    }
    return Math.max(SELLABLE - fullest, 0);
  }

  #apply({ id, everyMs, dueBefore }: Repaced, from: number): void {
    const pair = Number(id);
    const [board, scenario] = [this.#board, this.#scenario];
    const { campaign = 0, device = 0 } = scenario.pairs[pair] ?? {};
    const spotMs = scenario.campaigns[campaign]?.spotMs ?? 0;
    const open = this.#openOf(pair);
    const loads = scenario.loads[device];
    const more = spotMs / everyMs - spotMs / (board.everyMs[pair] ?? 1);
    for (let hour = from; hour < HOURS; hour += 1) {
      if (loads && isOpen(open, hour)) loads[hour] = (loads[hour] ?? 0) + more;
    }
    board.everyMs[pair] = everyMs;
    board.dueBefore[pair] = dueBefore;
    board.fromMs[pair] = open?.[from] ?? 0;
  }
}
