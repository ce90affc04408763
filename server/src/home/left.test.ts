import { request } from 'node:http';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const admin = await server.login();
const { db, events } = server.deps;

test('a reader that leaves before its stream begins leaves nothing behind', async () => {
  let listening = 0;
  const on = events.on.bind(events);
  vi.spyOn(events, 'on').mockImplementation((topic, listener) => {
    const off = on(topic, listener);
    listening += 1;
    return () => {
      listening -= 1;
      off();
    };
  });
  const closed = new Promise((resolve) =>
    server.app.server.once('connection', (socket) => socket.once('close', resolve)),
  );
  await db.transaction().execute(async (trx) => {
    await sql`lock table user_scopes in access exclusive mode`.execute(trx);
    const reader = request(`${server.url}/api/live`, {
      agent: false,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    reader.on('error', () => undefined).end();
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity
          where pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
        return rows.length;
      })
      .toBeGreaterThan(0);
    expect(listening).toBeGreaterThan(0);
    reader.destroy();
    await closed;
  });
  await expect.poll(() => listening).toBe(0);
});
