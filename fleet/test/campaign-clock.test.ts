import { randomUUID } from 'node:crypto';
import { addDays, type Manifest, type Play, type Programme } from '@ams/contract';
import { isPaced } from '@ams/contract/rules/spots';
import { makeClock } from '@ams/player/clock';
import { makeSpots } from '@ams/player/spots';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../server/test/ads.ts';
import { pairedDevice } from '../../server/test/device.ts';
import { addFile, makeMp4 } from '../../server/test/media.ts';
import { dataOf, type Session, startTestServer } from '../../server/test/server.ts';

const server = await startTestServer();
const { db } = server.deps;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SPOT_MS = 2000;
const FILL_MS = 8000;
const PER_HOUR = 60;

type Kept = Parameters<typeof makeSpots>[0];
type Paired = Awaited<ReturnType<typeof pairedDevice>>;

let dealer: Session;
let adId: string;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  const video = await addFile(server, dealer, await makeMp4(1, SPOT_MS / 1000), {
    ...{ name: 'spot.mp4', orientation: 'vertical', kind: 2 },
  });
  adId = (await addAd(dealer, 'creative', video.id)).id;
});

/** A device with a campaign that began at an instant. */
async function bookSince(from: Date): Promise<{ player: Paired; delivered: () => Promise<number> }> {
  const player = await pairedDevice(server, dealer);
  await sql`update devices set time_zone = 'UTC' where id = ${player.device.id}`.execute(db);
  const today = new Date().toISOString().slice(0, 10);
  const made = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        ...{ name: 'Clock', adIds: [adId], devices: { ids: [player.device.id] } },
        schedule: { from: today, to: addDays(today, 9) },
        goal: { kind: 'perHour', value: PER_HOUR },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  const { id } = dataOf(await dealer.calls.campaigns.book({ params: { id: made.id } }));
  const schedule = sql`jsonb_set(schedule, '{from}', to_jsonb(${from.toISOString().slice(0, 10)}::text))`;
  await sql`update campaigns set decided_at = ${from}, schedule = ${schedule} where id = ${id}`.execute(db);
  await sql`update releases set schedule = ${schedule} where campaign_id = ${id}`.execute(db);
  await sql`
    update release_devices set started_at = ${from} where device_id = ${player.device.id}`.execute(db);
  await sql`update campaign_devices set paced_from = ${from} where campaign_id = ${id}`.execute(db);
  await sql`update device_revisions set revision = revision + 1 where device_id = ${player.device.id}`.execute(db);
  return {
    player,
    delivered: async () => dataOf(await dealer.calls.campaigns.delivery({ params: { id } })).delivered,
  };
}

/** What a screen showed: each spot with its true instant and with the one that it reported. */
interface Shown {
  trueAt: number;
  play: Play;
}

/**
 * A screen by the player's own clock, counts and choice. Time is simulated: `error` is how far the device's own clock is
 * off; `restart` is a power cycle without a network, after which this clock counts until the server corrects it.
 */
class Screen {
  readonly shown: Shown[] = [];
  error = 0;
  #true: number;
  #kept: Kept = {};
  #clock: ReturnType<typeof makeClock>;
  #spots: ReturnType<typeof makeSpots>;
  #last: Programme | undefined;
  #turn = 0;
  readonly #manifest: Manifest;

  constructor(manifest: Manifest, from: number, kept: Kept = {}) {
    this.#manifest = manifest;
    this.#true = from;
    this.#kept = kept;
    this.#clock = this.#makeClock(undefined);
    this.#spots = this.#makeSpots();
  }

  #makeClock = (kept: Parameters<typeof makeClock>[0]['kept']) =>
    makeClock({ wall: () => this.#true + this.error, monotonic: () => this.#true, kept });

  #makeSpots() {
    const spots = makeSpots(this.#kept, (counts) => (this.#kept = counts));
    spots.follow(this.#manifest, 'main');
    return spots;
  }

  restart(): void {
    this.#true += MINUTE_MS;
    this.#clock = this.#makeClock({ now: this.#clock.now() - MINUTE_MS, behindMs: 0 });
    this.#spots = this.#makeSpots();
    this.#last = undefined;
  }

  /** The server answers. */
  correct(): void {
    this.#clock.correct(this.#true, 0, 0);
  }

  playUntil(until: number): void {
    const paced = this.#manifest.screens.main.filter(isPaced);
    while (this.#true < until) {
      const at = this.#clock.now();
      const spot = this.#spots.choose(paced, at, this.#last, true);
      this.#last = spot;
      this.#turn += 1;
      if (spot) {
        this.#spots.begun(this.#turn, spot, at);
        this.shown.push({ trueAt: this.#true, play: playOf(spot, at) });
      }
      this.#true += spot ? SPOT_MS : FILL_MS;
      if (spot) this.#spots.played();
    }
  }

  spotsBetween = (from: number, to: number): number =>
    this.shown.filter(({ trueAt }) => trueAt >= from && trueAt < to).length;

  kept = (): number => Object.values(this.#kept).reduce((sum, { played }) => sum + played, 0);
}

function playOf({ releaseId, regions }: Programme, at: number): Play {
  const [item] = regions.full ?? [];
  if (item?.kind !== 'file') throw new Error('no file');
  return { releaseId, sha256: item.sha256, at: new Date(at).toISOString(), durationMs: SPOT_MS, screen: 'main' };
}

const report = async ({ calls }: Paired, shown: readonly Shown[]) =>
  dataOf(await calls.player.plays({ body: { batch: randomUUID(), plays: shown.map(({ play }) => play) } }));

test.for([
  ['forward', 25 * MINUTE_MS],
  ['back', -25 * MINUTE_MS],
] as const)(
  'a clock that jumps %s within an hour and is corrected costs no rate, and each play counts once',
  async ([, jumpMs]) => {
    const from = Date.now() - 5 * HOUR_MS;
    const { player, delivered } = await bookSince(new Date(from));
    const manifest = dataOf(await player.calls.player.manifest());
    const screen = new Screen(manifest, from);
    screen.playUntil(from + 10 * MINUTE_MS);
    // A running player does not follow the clock of its device.
    screen.error = jumpMs;
    screen.playUntil(from + 20 * MINUTE_MS);
    expect(screen.spotsBetween(from, from + 20 * MINUTE_MS)).toBe(20);
    screen.restart();
    screen.playUntil(from + 40 * MINUTE_MS);
    screen.correct();
    screen.playUntil(from + 4 * HOUR_MS);

    // Never more than twice the rate, and no more and no less over the flight.
    for (let minute = 0; minute < 230; minute += 5) {
      const begin = from + minute * MINUTE_MS;
      expect(screen.spotsBetween(begin, begin + 10 * MINUTE_MS)).toBeLessThanOrEqual(21);
    }
    expect(Math.abs(screen.shown.length - 4 * PER_HOUR)).toBeLessThanOrEqual(1);
    expect(Math.abs(screen.spotsBetween(from + 3 * HOUR_MS, from + 4 * HOUR_MS) - PER_HOUR)).toBeLessThanOrEqual(1);
    expect(screen.kept()).toBe(screen.shown.length);

    const { accepted } = await report(player, screen.shown);
    expect(await delivered()).toBe(accepted);
    // A play that overlaps one which was reported before the correction cannot be counted.
    expect(accepted).toBeGreaterThan(0.9 * screen.shown.length);
    await report(player, screen.shown);
    expect(await delivered()).toBe(accepted);

    // A player that lost its storage continues from the plays that the server counted.
    const anew = new Screen(dataOf(await player.calls.player.manifest()), from + 4 * HOUR_MS);
    anew.playUntil(from + 5 * HOUR_MS - MINUTE_MS);
    const due = Math.floor((5 * HOUR_MS - MINUTE_MS) / MINUTE_MS);
    expect(accepted + anew.shown.length).toBeGreaterThanOrEqual(due - 1);
    expect(accepted + anew.shown.length).toBeLessThanOrEqual(due + 1);
  },
);
