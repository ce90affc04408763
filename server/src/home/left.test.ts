import { request } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { openStream } from '../../test/stream.ts';
import { changed, publish } from '../platform/events/events.ts';

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

describe('an open page hears of what is theirs when users', () => {
  const below: [string, (boss: Session) => Promise<Session>][] = [
    ['are added', (boss) => server.createUser('member', boss)],
    [
      'register',
      async (boss) => {
        const { items } = dataOf(await boss.calls.users.createInvitations({ body: { count: 1 } }));
        const [username, password] = ['registered1', 'password1'];
        const body = { code: items[0]?.code ?? '', username, password, confirm: password };
        dataOf(await server.as().session.register({ body }));
        return server.login(username, password);
      },
    ],
  ];

  test.each(below)('%s', async (_, add) => {
    const boss = await server.createUser('leading');
    const stream = await openStream(server, boss);
    const { user } = await add(boss);
    const hears = async () => {
      await publish(db, ...changed('file', [{ id: user.id, owner_id: user.id }]));
      return stream.text();
    };
    await expect.poll(hears).toContain(user.id);
  });
});
