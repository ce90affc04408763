import { randomBytes } from 'node:crypto';
import { EMAIL_CODE, localMac } from '@ams/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newEmailCode } from '../src/alerts/confirm.service.ts';
import { offerCode } from '../src/devices/enrolment.service.ts';
import { countTry, refuseTried } from '../src/platform/limits/rate-limit.ts';
import { startTestServer } from './server.ts';

/**
 * `now()` is when a transaction began. While it waits for a lock, one that began later may write a time that lies ahead
 * of it and commit: that time counts all the same.
 */

const server = await startTestServer();
const { db } = server.deps;

let other: pg.Client;

beforeAll(async () => {
  other = new pg.Client(server.connection);
  await other.connect();
});

afterAll(() => other.end());

const isLockAwaited = async () =>
  (await other.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).rows.length > 0;

test('a device that asks for a code while another takes the last place of its network is refused', async () => {
  const network = '198.51.100.7';
  const lock = `hashtextextended('enrol ${network}', 0)`;
  await other.query(`select pg_advisory_lock(${lock})`);
  const asked = offerCode(db, {
    ...{ mac: localMac(randomBytes(6)), secretHash: randomBytes(32), address: network, screens: [], timeZone: 'UTC' },
  });
  const refused = asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  await vi.waitFor(async () => expect(await isLockAwaited()).toBe(true));
  await other.query(`
    insert into pairings (mac, secret_hash, code, expires_at, screens, time_zone, network)
    select 'made up ' || n, sha256(n::text::bytea), 'x' || n, now() + interval '10 minutes', '[]', 'UTC', '${network}'
    from generate_series(1, 1000) n`);
  await other.query(`select pg_advisory_unlock(${lock})`);
  expect(await refused).toMatchObject({ name: 'AppError', message: 'TOO_MANY' });
});

test('a call does not begin a window anew that another call has begun a moment later', async () => {
  const limit = { key: 'tries', max: 2, windowMs: 60_000 };
  await other.query(
    `insert into rate_limits (key, count, ends_at) values ('tries', 1, now() + interval '60.5 seconds')`,
  );
  await countTry(db, [limit]);
  await expect(refuseTried(db, [limit])).rejects.toThrow('TOO_MANY');
});

test('an account that has used up its e-mails of the day a moment later gets no more', async () => {
  const { user } = await server.createUser('leading');
  await sql`
    insert into email_codes (user_id, email, code_hash, sends, since, sent_at)
    values (${user.id}, 'a@example.com', 'none', ${EMAIL_CODE.perDay}, now() + interval '0.5 seconds',
      now() + interval '0.5 seconds')`.execute(db);
  expect(await newEmailCode(db, user.id, 'b@example.com')).toBeUndefined();
});
