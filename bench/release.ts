import '../server/src/ads/ads.tables.ts';
import '../server/src/devices/devices.tables.ts';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { releaseAd } from '../server/src/ads/ads.service.ts';
import { readConfig } from '../server/src/config.ts';
import { personOf, type Viewer } from '../server/src/platform/auth/auth.ts';
import { type Db, makeDb, makePool } from '../server/src/platform/database/database.ts';
import { startPostgres } from '../server/src/platform/postgres/postgres.ts';
import { PLAYER_LINKS } from '../server/src/features.ts';
import { Manifests } from '../server/src/player/manifest.service.ts';
import { startServer } from '../server/src/lifecycle.ts';

const DEVICES = 10_000;
const RUNS = 7;
const MANIFESTS = 500;

const log = pino({ level: 'error' });

/** One account with devices and an ad of one picture. */
async function fill(db: Db): Promise<{ viewer: Viewer; adId: string }> {
  const owner = await db.selectFrom('users').select(['id', 'role', 'username']).executeTakeFirstOrThrow();
  const id = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  await sql`
    insert into devices (id, mac, owner_id)
    select gen_random_uuid(), lpad(to_hex(n), 12, '0'), ${owner.id} from generate_series(1, ${DEVICES}::int) n`.execute(
    db,
  );
  const sha256 = randomBytes(32).toString('hex');
  await sql`insert into blobs (sha256, bytes, mime, state) values (${sha256}, 1000000, 'image/png', 'ready')`.execute(
    db,
  );
  await sql`
    insert into files (id, owner_id, name, orientation, kind, sha256)
    values (${id(1)}, ${owner.id}, 'file', 'vertical', 1, ${sha256})`.execute(db);
  await sql`
    insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
    values (${id(2)}, ${owner.id}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain')`.execute(db);
  await sql`
    insert into ad_items (ad_id, region, position, kind, file_id) values (${id(2)}, 'full', 0, 'file', ${id(1)})`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  const person = personOf(owner);
  const tokenHash = Buffer.alloc(32);
  return { viewer: { kind: 'user', phone: null, superior: null, person, tokenHash, ...owner }, adId: id(2) };
}

const median = (times: number[]): string => (times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(0);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export default async function run(folder: string): Promise<void> {
  const postgres = await startPostgres(folder, log);
  const config = readConfig({ PORT: '0', AMS_DATA: folder, AMS_ADMIN_PASSWORD: 'password1', LOG_LEVEL: 'error' });
  const server = await startServer(config, postgres.connection, log);
  const db = makeDb(makePool(postgres.connection, log));
  try {
    const { viewer, adId } = await fill(db);
    const order = {
      devices: { filter: {} },
      replace: true,
      priority: 'normal' as const,
      standing: false,
      goOnAt: 90,
      stopAbove: 10,
    };
    const stages = [{ percent: 5 }, { percent: 25 }, { percent: 100 }];
    const all: number[] = [];
    const inSteps: number[] = [];
    for (let n = 0; n < RUNS; n += 1) {
      all.push(await timed(() => releaseAd(server.deps, viewer, adId, order)));
      inSteps.push(await timed(() => releaseAd(server.deps, viewer, adId, { ...order, stages })));
    }
    console.log(`a release to ${DEVICES} devices: median ${median(all)} ms, in steps ${median(inSteps)} ms`);
    const manifests = new Manifests(server.deps, PLAYER_LINKS);
    const devices = await db.selectFrom('devices').select('id').limit(MANIFESTS).execute();
    for (const when of ['first', 'again']) {
      const took = await timed(async () => {
        for (const { id } of devices) await manifests.whole(id);
      });
      console.log(`${MANIFESTS} manifests one after the other, ${when}: ${(took / MANIFESTS).toFixed(2)} ms each`);
    }
  } finally {
    await db.destroy();
    await server.stop();
    await postgres.stop();
  }
}
