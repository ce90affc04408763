import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { startTestServer } from '../../test/server.ts';
import { forgetPresence } from './history.ts';

const server = await startTestServer();

test('many changes of one device that nobody needs any more are forgotten in one pass', async () => {
  const { device } = await pairedDevice(server, await server.login());
  await server.deps.db.transaction().execute(async (trx) => {
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select seq_tup_read + idx_tup_fetch as n from pg_stat_xact_user_tables
        where relname = 'presence_changes'`.execute(trx);
      return Number(rows[0]?.n);
    };
    await sql`
      insert into presence_changes (device_id, at, online)
      select ${device.id}, now() - interval '9 days' - n * interval '1 minute', n % 2 = 0
      from generate_series(1, 3000) n`.execute(trx);
    await sql`analyze presence_changes`.execute(trx);
    const before = await read();
    await forgetPresence(trx);
    expect((await read()) - before).toBeLessThan(10 * 3000);
    const { rows } = await sql`
      select from presence_changes where device_id = ${device.id} and at < now() - interval '8 days'`.execute(trx);
    expect(rows).toHaveLength(1);
  });
});
