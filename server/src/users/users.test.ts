import { read, utils } from '@e965/xlsx';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { rowsOf } from '../../test/sheets.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const admin = await server.login();

const create = (body: object, who = admin) =>
  who.calls.users.create({ body: { username: 'someone1', password: 'password1', role: 'member', ...body } });

test('a leading user sees everybody below at any depth, and nobody else', async () => {
  const top = await server.createUser('leading');
  const middle = await server.createUser('leading', top);
  const bottom = await server.createUser('member', middle);
  const names = async (who: typeof top) => dataOf(await who.calls.users.list()).items.map((user) => user.username);
  expect(await names(top)).toEqual([bottom, middle, top].map((session) => session.user.username));
  expect(await names(middle)).toEqual([bottom, middle].map((session) => session.user.username));
  expect(await names(bottom)).toEqual([bottom.user.username]);
  expect(await middle.calls.users.get({ params: { id: top.user.id } })).toMatchObject({ code: 404 });
});

test('a member that was leading no longer sees those below it', async () => {
  const once = await server.createUser('leading');
  const below = await server.createUser('member', once);
  dataOf(await admin.calls.users.update({ params: { id: once.user.id }, body: { role: 'member' } }));
  expect(await once.calls.users.get({ params: { id: below.user.id } })).toMatchObject({ code: 404 });
  expect(dataOf(await admin.calls.users.get({ params: { id: below.user.id } })).superior?.id).toBe(once.user.id);
});

test('names are unique regardless of case, and invalid fields name their rules', async () => {
  dataOf(await create({ username: 'CamelCase', phone: '+49 30 123456' }));
  expect(await create({ username: 'camelcase' })).toMatchObject({ code: 409, error: 'USERNAME_TAKEN' });
  expect(await create({ username: 'abc', password: 'short', phone: 'call me' })).toMatchObject({
    code: 400,
    details: {
      fields: [
        { path: 'username', rule: 'username.length' },
        { path: 'password', rule: 'password.length' },
        { path: 'phone', rule: 'phone.invalid' },
      ],
    },
  });
});

test('the list searches, filters, counts and pages', async () => {
  const boss = await server.createUser('leading');
  for (const name of ['pagea', 'pageb', 'pagec'])
    dataOf(await create({ username: `${name}${boss.user.username.slice(0, 6)}` }, boss));
  const list = async (query: object) => dataOf(await boss.calls.users.list({ query }));
  const first = await list({ q: 'PAGE', limit: 2, total: 'true' });
  expect(first.total).toBe(3);
  expect(first.items.map((user) => user.username.slice(0, 5))).toEqual(['pagec', 'pageb']);
  const second = await list({ q: 'PAGE', limit: 2, cursor: first.next });
  expect(second).toMatchObject({ next: null, items: [expect.anything()] });
  const [someone] = second.items;
  dataOf(
    await boss.calls.users.update({ params: { id: someone?.id ?? '' }, body: { disabled: true, remark: 'late' } }),
  );
  expect((await list({ state: 'disabled' })).items).toMatchObject([
    { id: someone?.id, disabled: true, remark: 'late' },
  ]);
  expect((await list({ state: 'enabled', q: 'page' })).items).toHaveLength(2);
  for (const cursor of ['x', Buffer.from('["2026-02-30T00:00:00Z","x"]').toString('base64url')]) {
    expect(await boss.calls.users.list({ query: { cursor } })).toMatchObject({ code: 400, error: 'INVALID' });
  }
});

test('forbidding needs a remark; enabling lets in again', async () => {
  const member = await server.createUser('member');
  const patch = (body: object) => admin.calls.users.update({ params: { id: member.user.id }, body });
  for (const remark of [undefined, '   ', 'x'.repeat(201)]) {
    expect(await patch({ disabled: true, remark })).toMatchObject({
      code: 400,
      details: { fields: [{ path: 'remark' }] },
    });
  }
  expect(dataOf(await patch({ disabled: true, remark: 'did not pay' }))).toMatchObject({
    disabled: true,
    remark: 'did not pay',
  });
  expect(await member.calls.users.list()).toMatchObject({ code: 401 });
  expect(dataOf(await patch({ remark: 'paid in part' }))).toMatchObject({ disabled: true, remark: 'paid in part' });
  expect(await patch({ remark: null })).toMatchObject({ code: 400, details: { fields: [{ path: 'remark' }] } });
  expect(dataOf(await patch({ phone: '12345' }))).toMatchObject({ disabled: true, remark: 'paid in part' });
  expect(dataOf(await patch({ disabled: false }))).toMatchObject({ disabled: false, remark: null });
  expect((await server.login(member.user.username)).user.id).toBe(member.user.id);
});

test('a remark alone is refused for a user who is not disabled, instead of being dropped', async () => {
  const member = await server.createUser('member');
  const patch = (body: object) => admin.calls.users.update({ params: { id: member.user.id }, body });
  for (const body of [{ remark: 'did not pay' }, { remark: 'did not pay', phone: '12345' }]) {
    expect(await patch(body)).toMatchObject({ code: 400, details: { fields: [{ path: 'remark', rule: 'invalid' }] } });
  }
  expect(dataOf(await patch({ remark: null, phone: '12345' }))).toMatchObject({ remark: null, phone: '12345' });
});

test('users cannot disable, demote or delete themselves or the first account', async () => {
  const boss = await server.createUser('leading');
  const own = { params: { id: boss.user.id } };
  expect(await boss.calls.users.update({ ...own, body: { role: 'member' } })).toMatchObject({
    code: 422,
    error: 'NOT_YOURSELF',
  });
  expect(await boss.calls.users.delete(own)).toMatchObject({ error: 'NOT_YOURSELF' });
  expect(dataOf(await boss.calls.users.update({ ...own, body: { phone: '12345678' } })).phone).toBe('12345678');
  const root = { params: { id: admin.user.id } };
  expect(await admin.calls.users.delete(root)).toMatchObject({ code: 422, error: 'ROOT_PROTECTED' });
  expect(await admin.calls.users.update({ ...root, body: { disabled: true, remark: 'x' } })).toMatchObject({
    error: 'ROOT_PROTECTED',
  });
});

test('everybody sets the own phone number, which customers see; nobody that of a stranger', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const other = await server.createUser('member', boss);
  const set = (who: Session, of: Session, phone: string | null) =>
    who.calls.users.changePhone({ params: { id: of.user.id }, body: { phone } });
  expect(dataOf(await set(member, member, ' +49 30 123456 ')).phone).toBe('+49 30 123456');
  expect(await set(member, member, '12')).toMatchObject({ details: { fields: [{ rule: 'phone.invalid' }] } });
  expect(await set(member, other, '12345678')).toMatchObject({ code: 404 });
  expect(dataOf(await set(boss, other, '12345678')).phone).toBe('12345678');
  expect(dataOf(await set(boss, boss, '0800 1234')).phone).toBe('0800 1234');
  expect(dataOf(await member.calls.home.summary()).merchant).toEqual({
    username: boss.user.username,
    phone: '0800 1234',
  });
  expect(dataOf(await set(boss, boss, null)).phone).toBeNull();
  // The other fields stay with leading users.
  const body = { disabled: false };
  expect(await member.calls.users.update({ params: { id: member.user.id }, body })).toMatchObject({ code: 403 });
});

test('deleting hands everything to the superior', async () => {
  const top = await server.createUser('leading');
  const leaving = await server.createUser('leading', top);
  const below = await server.createUser('member', leaving);
  const device = await pairedDevice(server, leaving);
  dataOf(await leaving.calls.users.createInvitations({ body: { count: 2 } }));
  dataOf(await top.calls.users.delete({ params: { id: leaving.user.id } }));
  expect(await leaving.calls.home.summary()).toMatchObject({ code: 401 });
  expect(dataOf(await top.calls.devices.get({ params: { id: device.device.id } })).owner.id).toBe(top.user.id);
  expect(dataOf(await top.calls.users.get({ params: { id: below.user.id } })).superior?.id).toBe(top.user.id);
  expect(dataOf(await top.calls.users.listInvitations()).items.map((item) => item.createdBy.id)).toEqual([
    top.user.id,
    top.user.id,
  ]);
  expect(dataOf(await device.calls.player.manifest()).merchant?.username).toBe('admin');
});

test('an id in upper case is the same id: no rule on the own account is passed by it', async () => {
  const leader = await server.createUser('leading');
  const own = { params: { id: leader.user.id.toUpperCase() } };
  const body = { password: 'password2', confirm: 'password2' };
  expect(await leader.calls.users.changePassword({ ...own, body })).toMatchObject({
    details: { fields: [{ path: 'current' }] },
  });
  expect(await leader.calls.users.update({ ...own, body: { quotaBytes: 0 } })).toMatchObject({ error: 'NOT_YOURSELF' });
  expect(dataOf(await leader.calls.users.get(own))).toMatchObject({ id: leader.user.id });
});

test('the own password needs the present one; the other sessions end', async () => {
  const member = await server.createUser('member');
  const elsewhere = await server.login(member.user.username);
  const change = (body: object) =>
    member.calls.users.changePassword({
      params: { id: member.user.id },
      body: { password: 'password2', confirm: 'password2', ...body },
    });
  expect(await change({})).toMatchObject({ code: 400, details: { fields: [{ path: 'current' }] } });
  expect(await change({ current: 'wrong one' })).toMatchObject({ code: 422, error: 'WRONG_PASSWORD' });
  expect(await change({ current: ADMIN.password, confirm: 'password3' })).toMatchObject({
    error: 'PASSWORD_DIFFERENT',
  });
  dataOf(await change({ current: ADMIN.password }));
  expect(dataOf(await member.calls.users.list()).items).toHaveLength(1);
  expect(await elsewhere.calls.users.list()).toMatchObject({ code: 401 });
  expect((await server.login(member.user.username, 'password2')).user.id).toBe(member.user.id);
});

test('a leading user sets the password of somebody below without knowing it', async () => {
  const member = await server.createUser('member');
  dataOf(
    await admin.calls.users.changePassword({
      params: { id: member.user.id },
      body: { password: 'password9', confirm: 'password9' },
    }),
  );
  expect(await member.calls.users.list()).toMatchObject({ code: 401 });
  expect((await server.login(member.user.username, 'password9')).user.id).toBe(member.user.id);
});

test('invitation codes: made, listed by state, revoked, shared as a picture and a true .xls', async () => {
  const boss = await server.createUser('leading');
  const { items } = dataOf(await boss.calls.users.createInvitations({ body: { count: 3, role: 'member', days: 1 } }));
  const [first, second] = items;
  dataOf(await boss.calls.users.revokeInvitation({ params: { code: first?.code ?? '' } }));
  expect(await boss.calls.users.revokeInvitation({ params: { code: first?.code ?? '' } })).toMatchObject({ code: 404 });
  const states = async (state: 'unused' | 'revoked') =>
    dataOf(await boss.calls.users.listInvitations({ query: { state } })).items.map((item) => item.code);
  expect(await states('revoked')).toEqual([first?.code]);
  expect(await states('unused')).toHaveLength(2);
  expect(await server.as().session.checkRegisterCode({ body: { code: first?.code ?? '' } })).toMatchObject({
    code: 422,
  });

  const get = (query: string) =>
    fetch(`${server.url}/api/inviteregistercode?${query}`, { headers: { authorization: `Bearer ${boss.token}` } });
  const sheet = await get('format=xls');
  expect(sheet.headers.get('content-disposition')).toContain('registration invitation code.xls');
  const bytes = Buffer.from(await sheet.arrayBuffer());
  // The signature of a compound file, which a true .xls is.
  expect(bytes.subarray(0, 8).toString('hex')).toBe('d0cf11e0a1b11ae1');
  const book = read(bytes);
  const cells = Object.values(book.Sheets[book.SheetNames[0] ?? ''] ?? {}).map((cell: { v?: unknown }) => cell.v);
  expect(cells).toContain(second?.code);
  expect(cells).not.toContain(first?.code);
  const german = await fetch(`${server.url}/api/inviteregistercode?timeZone=Asia/Tokyo`, {
    headers: { 'authorization': `Bearer ${boss.token}`, 'accept-language': 'de' },
  });
  const [heads, row] = rowsOf(new Uint8Array(await german.arrayBuffer()));
  expect(heads).toEqual(['Code', 'Rolle', 'erstellt von', 'erstellt (Asia/Tokyo)', 'gültig bis (Asia/Tokyo)']);
  const local = (at = '') =>
    new Date(new Date(at).getTime() + 9 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  expect(row?.slice(1)).toEqual(['Mitglied', boss.user.username, local(second?.createdAt), local(second?.expiresAt)]);
  expect((await get('timeZone=Nowhere')).status).toBe(400);
  const picture = await get(`format=png&code=${second?.code}`);
  expect(picture.headers.get('content-type')).toBe('image/png');
});

test('the export holds every unused code, however many sheets they need', async () => {
  const boss = await server.createUser('leading');
  await sql`
    insert into invitations (code, role, created_by, expires_at)
    select 'Z' || lpad(n::text, 7, '0'), 'member', ${boss.user.id}, now() + interval '1 day'
    from generate_series(1, 20001) n`.execute(server.deps.db);
  const reply = await fetch(`${server.url}/api/inviteregistercode`, {
    headers: { authorization: `Bearer ${boss.token}` },
  });
  expect(reply.status).toBe(200);
  const { SheetNames, Sheets } = read(Buffer.from(await reply.arrayBuffer()));
  const rows = SheetNames.map((name) => utils.sheet_to_json<string[]>(Sheets[name] ?? {}, { header: 1 }));
  expect(rows.map(({ length }) => length)).toEqual([20_001, 2]);
  expect(new Set(rows.flatMap(([, ...codes]) => codes.map(([code]) => code))).size).toBe(20_001);
});

test('the audit shows actors and actions within scope', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  dataOf(
    await boss.calls.users.update({ params: { id: member.user.id }, body: { disabled: true, remark: 'why not' } }),
  );
  const { items } = dataOf(await boss.calls.users.listAudit());
  expect(items[0]).toMatchObject({
    actor: { username: boss.user.username },
    action: 'users.forbid',
    targetId: member.user.id,
    target: member.user.username,
    details: { remark: 'why not' },
  });
  expect(items.map((entry) => entry.actor?.id)).not.toContain(admin.user.id);
});

test('audit entries of a deleted user remain visible to users above', async () => {
  const boss = await server.createUser('leading');
  const leaving = await server.createUser('leading', boss);
  dataOf(await leaving.calls.users.createInvitations({ body: { count: 1 } }));
  dataOf(await boss.calls.users.delete({ params: { id: leaving.user.id } }));
  const { items } = dataOf(await boss.calls.users.listAudit());
  expect(items.map(({ action, actor, actorName }) => [action, actor?.username, actorName])).toEqual([
    ['users.delete', boss.user.username, boss.user.username],
    ['invitations.create', undefined, leaving.user.username],
    ['users.create', boss.user.username, boss.user.username],
  ]);
});
