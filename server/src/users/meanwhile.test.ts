import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { meanwhile } from '../../test/meanwhile.ts';
import { dataOf, startTestServer } from '../../test/server.ts';

/** Two people who change a user at once. */
const server = await startTestServer();
const { db } = server.deps;

test('a phone number that is given back while somebody else changed it is on the devices again', async () => {
  const boss = await server.createUser('leading');
  const dealer = await server.createUser('leading', boss);
  const customer = await server.createUser('member', dealer);
  const device = await pairedDevice(server, customer);
  const { id } = dealer.user;
  const set = (phone: string) => boss.calls.users.update({ params: { id }, body: { phone } });
  dataOf(await set('+49 30 1111111'));
  const channel = await device.open();
  await channel.next();
  const change = sql`update users set phone = '+49 30 2222222' where id = ${id}`;
  const hold = sql`select from users where id = ${id} for update`;
  const call = () => set('+49 30 1111111');
  expect(dataOf(await meanwhile(db, { hold, call, change })).phone).toBe('+49 30 1111111');
  expect(await channel.next()).toMatchObject({ type: 'manifest' });
  await channel.close();
});

test('a user that somebody else promotes meanwhile loses its invitations when it is demoted', async () => {
  const boss = await server.createUser('leading');
  const dealer = await server.createUser('leading', boss);
  const { id } = dealer.user;
  dataOf(await dealer.calls.users.createInvitations({ body: { count: 1, role: 'member' } }));
  const as = (role: string) => sql`update users set role = ${role} where id = ${id}`;
  await as('member').execute(db);
  const hold = sql`select from users where id = ${id} for update`;
  const call = () => boss.calls.users.update({ params: { id }, body: { role: 'member' } });
  expect(dataOf(await meanwhile(db, { hold, call, change: as('leading') })).role).toBe('member');
  const { rows } = await sql`
    select revoked_at is not null as revoked from invitations where created_by = ${id}`.execute(db);
  expect(rows).toEqual([{ revoked: true }]);
});
