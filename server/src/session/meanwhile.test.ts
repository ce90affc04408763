import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { meanwhile } from '../../test/meanwhile.ts';
import { turnOn } from '../../test/second-factor.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';
import { hashPassword } from '../platform/auth/passwords.ts';

/** Calls about passwords and second factors of somebody who loses the right to make them after they were admitted. */
const server = await startTestServer();
const { db } = server.deps;
const NEW = { password: 'another one', confirm: 'another one' };

let boss: Session;
let member: Session;
beforeEach(async () => {
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
});

const hold = () => sql`select from users where id in (${boss.user.id}, ${member.user.id}) order by id for update`;
const CHANGES = {
  LEADING_ONLY: () => sql`update users set role = 'member' where id = ${boss.user.id}`,
  FORBIDDEN_USER: () => sql`update users set disabled = true, remark = 'left' where id = ${boss.user.id}`,
};
const stored = () =>
  db.selectFrom('users').select(['password_hash', 'totp_secret']).where('id', '=', member.user.id).executeTakeFirst();

test.each(Object.entries(CHANGES))(
  'a password from above is refused where the one above may not (%s)',
  async (error, change) => {
    const before = await stored();
    const call = () => boss.calls.users.changePassword({ params: { id: member.user.id }, body: NEW });
    expect(await meanwhile(db, { hold: hold(), call, change: change() })).toMatchObject({ error });
    expect(await stored()).toEqual(before);
    dataOf(await member.calls.users.list());
  },
);

test.each(Object.entries(CHANGES))('a second factor stays where the one above may not (%s)', async (error, change) => {
  await turnOn(member);
  const before = await stored();
  const call = () => boss.calls.users.resetSecondFactor({ params: { id: member.user.id } });
  expect(await meanwhile(db, { hold: hold(), call, change: change() })).toMatchObject({ error });
  expect(await stored()).toEqual(before);
});

const holdOwn = () => sql`select from users where id = ${member.user.id} for update`;
const changeOwn = () =>
  member.calls.users.changePassword({ params: { id: member.user.id }, body: { ...NEW, current: ADMIN.password } });

test('a password that is set from above outlasts a change of the old one that was under way', async () => {
  const above = await hashPassword('set from above');
  const change = sql`
    with ended as (delete from sessions where user_id = ${member.user.id})
    update users set password_hash = ${above} where id = ${member.user.id}`;
  expect(await meanwhile(db, { hold: holdOwn(), call: changeOwn, change })).toMatchObject({ error: 'UNAUTHENTICATED' });
  expect((await stored())?.password_hash).toBe(above);
});

test('a user that is disabled meanwhile does not set its own password either', async () => {
  const before = await stored();
  const change = sql`update users set disabled = true, remark = 'left' where id = ${member.user.id}`;
  expect(await meanwhile(db, { hold: holdOwn(), call: changeOwn, change })).toMatchObject({ error: 'FORBIDDEN_USER' });
  expect(await stored()).toEqual(before);
});
