import { COLLEAGUES_MAX } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addColleague, register } from '../../test/colleague.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { nextCode, turnOn } from '../../test/second-factor.ts';
import { ADMIN, dataOf, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const admin = await server.login();
const { password } = ADMIN;

const invite = async (holder: typeof admin, access: 'operator' | 'readOnly' = 'operator') =>
  dataOf(await holder.calls.colleagues.invite({ body: { name: 'Anna Berg', access } })).code;

const people = async (holder: typeof admin, account?: string) =>
  dataOf(await holder.calls.colleagues.list({ query: account === undefined ? {} : { account } }));

test('a colleague joins by an invitation, logs in, and acts for the account', async () => {
  const dealer = await server.createUser('leading');
  const holder = await server.createUser('member', dealer);
  const code = await invite(holder);
  expect(dataOf(await server.as().session.checkRegisterCode({ body: { code: code.toLowerCase() } }))).toEqual({
    valid: true,
    superior: { username: holder.user.username },
    colleague: { name: 'Anna Berg', access: 'operator' },
  });
  const username = `Anna${holder.user.username.slice(0, 8)}`;
  const { reply, body } = await register(server, { code, username });
  expect(body.data?.user.id).toBe(holder.user.id);
  expect(JSON.parse(decodeURIComponent(reply.headers.get('current') ?? ''))).toMatchObject({ id: holder.user.id });
  expect(JSON.parse(decodeURIComponent(reply.headers.get('person') ?? ''))).toMatchObject({
    name: 'Anna Berg',
    username,
    access: 'operator',
  });

  const anna = await server.login(username.toUpperCase());
  expect(anna.user.id).toBe(holder.user.id);
  const group = dataOf(await anna.calls.groups.create({ body: { name: 'Lyon', filter: {} } }));
  expect(group.owner.id).toBe(holder.user.id);
  const { items } = dataOf(await holder.calls.colleagues.listAudit());
  expect(items.map(({ action, actorName, person }) => ({ action, actorName, person }))).toEqual([
    { action: 'groups.create', actorName: holder.user.username, person: { name: 'Anna Berg', username } },
    { action: 'colleagues.join', actorName: holder.user.username, person: { name: 'Anna Berg', username } },
    { action: 'colleagues.invite', actorName: holder.user.username, person: null },
  ]);
  const above = dataOf(await dealer.calls.users.listAudit({ query: { actor: holder.user.id } })).items;
  expect(above.map(({ person }) => person?.username ?? null)).toEqual([username, username, null]);
  expect(await people(holder)).toMatchObject({
    colleagues: [{ name: 'Anna Berg', username, access: 'operator', disabled: false, secondFactor: false }],
    invitations: [],
  });
});

test('a colleague is no user: no list, search, owner or user page knows one, whoever looks', async () => {
  const holder = await server.createUser('member');
  const { id, username } = await addColleague(server, holder, 'operator');
  expect(dataOf(await admin.calls.users.list({ query: { q: username } })).items).toEqual([]);
  expect(JSON.stringify(dataOf(await admin.calls.search.list({ query: { q: username } })))).not.toContain(id);
  expect(await admin.calls.users.get({ params: { id } })).toMatchObject({ code: 404 });
  expect(await admin.calls.users.update({ params: { id }, body: { phone: '12345678' } })).toMatchObject({ code: 404 });
  expect(await admin.calls.users.delete({ params: { id } })).toMatchObject({ code: 404 });
  expect(await admin.calls.users.resetSecondFactor({ params: { id } })).toMatchObject({ code: 404 });
  expect(await admin.calls.devices.create({ body: { mac: '02:00:00:00:0c:01', ownerId: id } })).toMatchObject({
    code: 404,
  });
  const count = async () => dataOf(await admin.calls.home.summary()).users;
  const before = await count();
  await addColleague(server, holder, 'operator');
  expect(await count()).toEqual(before);
});

test('log-in names are unique over users and colleagues, whatever the case', async () => {
  const holder = await server.createUser('member');
  const colleague = await addColleague(server, holder, 'operator');
  const username = colleague.username.toUpperCase();
  expect(await admin.calls.users.create({ body: { username, password, role: 'member' } })).toMatchObject({
    error: 'USERNAME_TAKEN',
  });
  const code = await invite(holder);
  expect((await register(server, { code, username })).body.error).toBe('USERNAME_TAKEN');
  expect((await register(server, { code, username: holder.user.username })).body.error).toBe('USERNAME_TAKEN');
  // Full-width letters look like others.
  expect((await register(server, { code, username: 'ａｎｎａ１２３４' })).body.error).toBe('INVALID');
  expect((await register(server, { code, username: 'goodname1', confirm: 'other' })).body.error).toBe(
    'PASSWORD_DIFFERENT',
  );
  // None of these used it up.
  expect((await register(server, { code, username: 'goodname1' })).body.code).toBe(200);
});

test('an invitation is used once, even by several people at once', async () => {
  const holder = await server.createUser('member');
  const code = await invite(holder);
  const tries = await Promise.all(
    [1, 2, 3, 4].map((n) => register(server, { code, username: `${holder.user.username.slice(0, 10)}n${n}` })),
  );
  expect(tries.map(({ body }) => body.error ?? 'ok').toSorted()).toEqual([
    ...Array(3).fill('INVALID_INVITATION'),
    'ok',
  ]);
  expect((await people(holder)).colleagues).toHaveLength(1);
});

test('an invitation that was revoked or has expired, or whose account is disabled, admits nobody', async () => {
  const holder = await server.createUser('member');
  const stranger = await server.createUser('member');
  const revoked = await invite(holder);
  expect(await stranger.calls.colleagues.revoke({ params: { code: revoked } })).toMatchObject({ code: 404 });
  dataOf(await holder.calls.colleagues.revoke({ params: { code: revoked } }));
  const expired = await invite(holder);
  await sql`update colleague_invitations set expires_at = now() where code = ${expired}`.execute(server.deps.db);
  const disabled = await invite(holder);
  dataOf(
    await admin.calls.users.update({ params: { id: holder.user.id }, body: { disabled: true, remark: 'unpaid' } }),
  );
  for (const code of [revoked, expired, disabled]) {
    expect(await server.as().session.checkRegisterCode({ body: { code } })).toMatchObject({
      error: 'INVALID_INVITATION',
    });
    expect((await register(server, { code, username: 'nobody12' })).body.error).toBe('INVALID_INVITATION');
  }
  dataOf(await admin.calls.users.update({ params: { id: holder.user.id }, body: { disabled: false } }));
  expect((await register(server, { code: disabled, username: 'nobody12' })).body.error).toBe('INVALID_INVITATION');
});

test('an account has at most so many colleagues and invitations, also when several are made at once', async () => {
  const holder = await server.createUser('member');
  await addColleague(server, holder, 'readOnly');
  const tries = await Promise.all(
    Array.from({ length: COLLEAGUES_MAX + 3 }, () =>
      holder.calls.colleagues.invite({ body: { name: 'Many', access: 'readOnly' } }),
    ),
  );
  expect(tries.filter(({ code }) => code === 200)).toHaveLength(COLLEAGUES_MAX - 1);
  expect(tries.find(({ code }) => code !== 200)).toMatchObject({ error: 'TOO_MANY_COLLEAGUES' });
});

test('disabling, deleting and lower access end the sessions of a colleague at once', async () => {
  const holder = await server.createUser('member');
  const change = async (id: string, body: { disabled?: boolean; access?: 'readOnly' | 'operator' }) =>
    dataOf(await holder.calls.colleagues.update({ params: { id }, body }));
  const isIn = async ({ calls }: typeof holder) => (await calls.home.summary()).code === 200;

  const disabled = await addColleague(server, holder, 'operator');
  await change(disabled.id, { disabled: true });
  expect(await isIn(disabled)).toBe(false);
  expect(await server.as().session.login({ body: { username: disabled.username, password } })).toMatchObject({
    error: 'FORBIDDEN_USER',
    message: 'This account is disabled',
  });
  await change(disabled.id, { disabled: false });
  expect(await isIn(await server.login(disabled.username))).toBe(true);

  const lowered = await addColleague(server, holder, 'operator');
  await change(lowered.id, { access: 'readOnly' });
  expect(await isIn(lowered)).toBe(false);
  const again = await server.login(lowered.username);
  expect(await again.calls.groups.create({ body: { name: 'x', filter: {} } })).toMatchObject({ error: 'READ_ONLY' });
  await change(lowered.id, { access: 'operator' });
  expect(await again.calls.groups.create({ body: { name: 'x', filter: {} } })).toMatchObject({ code: 200 });

  dataOf(await holder.calls.colleagues.delete({ params: { id: lowered.id } }));
  expect(await isIn(again)).toBe(false);
  expect(await server.as().session.login({ body: { username: lowered.username, password } })).toMatchObject({
    error: 'BAD_CREDENTIALS',
  });
  expect(await isIn(holder)).toBe(true);
});

test('a colleague who logs in while being deleted has no session in the end', async () => {
  const holder = await server.createUser('member');
  for (let round = 0; round < 5; round += 1) {
    const { id, username } = await addColleague(server, holder, 'operator');
    const login = async () => {
      const reply = await fetch(`${server.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      });
      return reply.headers.get('token');
    };
    const [token, deleted] = await Promise.all([login(), holder.calls.colleagues.delete({ params: { id } })]);
    expect(deleted.code).toBe(200);
    if (token !== null) expect((await server.as(token).home.summary()).code).toBe(401);
  }
});

test('the account that is disabled or deleted takes its colleagues with it', async () => {
  const holder = await server.createUser('member');
  const colleague = await addColleague(server, holder, 'operator');
  dataOf(
    await admin.calls.users.update({ params: { id: holder.user.id }, body: { disabled: true, remark: 'unpaid' } }),
  );
  expect((await colleague.calls.home.summary()).code).toBe(401);
  expect(await server.as().session.login({ body: { username: colleague.username, password } })).toMatchObject({
    error: 'FORBIDDEN_USER',
    details: { remark: 'unpaid' },
  });
  dataOf(await admin.calls.users.update({ params: { id: holder.user.id }, body: { disabled: false } }));
  // The session is gone for good.
  expect((await colleague.calls.home.summary()).code).toBe(401);
  const again = await server.login(colleague.username);
  dataOf(await admin.calls.users.delete({ params: { id: holder.user.id } }));
  expect((await again.calls.home.summary()).code).toBe(401);
  expect(await server.as().session.login({ body: { username: colleague.username, password } })).toMatchObject({
    error: 'BAD_CREDENTIALS',
  });
});

test('only the holder manages colleagues; users above see them and lock them out', async () => {
  const dealer = await server.createUser('leading');
  const holder = await server.createUser('member', dealer);
  const other = await server.createUser('member', dealer);
  const operator = await addColleague(server, holder, 'operator');
  const { id } = await addColleague(server, holder, 'readOnly');
  const params = { id };

  const { calls } = operator;
  expect(await calls.colleagues.invite({ body: { name: 'x', access: 'operator' } })).toMatchObject({
    error: 'HOLDER_ONLY',
  });
  expect(await calls.colleagues.update({ params, body: { access: 'operator' } })).toMatchObject({
    error: 'HOLDER_ONLY',
  });
  expect(await calls.colleagues.delete({ params: { id: operator.id } })).toMatchObject({ error: 'HOLDER_ONLY' });
  expect((await calls.colleagues.listAudit()).error).toBe('HOLDER_ONLY');
  dataOf(await holder.calls.colleagues.invite({ body: { name: 'open', access: 'operator' } }));
  expect((await people(operator)).invitations).toEqual([]);

  expect(await other.calls.colleagues.update({ params, body: { disabled: true } })).toMatchObject({ code: 404 });
  expect(await other.calls.colleagues.delete({ params })).toMatchObject({ code: 404 });
  expect(await other.calls.colleagues.list({ query: { account: holder.user.id } })).toMatchObject({ code: 404 });

  const seen = await people(dealer, holder.user.id);
  expect(seen.colleagues).toHaveLength(2);
  expect(seen.invitations).toEqual([]);
  expect(await dealer.calls.colleagues.update({ params, body: { access: 'operator' } })).toMatchObject({
    error: 'HOLDER_ONLY',
  });
  const assistant = await addColleague(server, dealer, 'operator');
  const reader = await addColleague(server, dealer, 'readOnly');
  expect(await reader.calls.colleagues.update({ params, body: { disabled: true } })).toMatchObject({
    error: 'READ_ONLY',
  });
  dataOf(await assistant.calls.colleagues.update({ params, body: { disabled: true } }));
  expect(await holder.calls.colleagues.update({ params, body: { disabled: false } })).toMatchObject({
    error: 'DISABLED_ABOVE',
  });
  dataOf(await dealer.calls.colleagues.update({ params, body: { disabled: false } }));
  dataOf(await dealer.calls.colleagues.delete({ params }));
  expect((await people(holder)).colleagues.map((one) => one.id)).toEqual([operator.id]);
  const [deleted] = dataOf(await holder.calls.colleagues.listAudit()).items;
  expect(deleted).toMatchObject({ action: 'colleagues.delete', actorName: dealer.user.username });
});

test('a colleague changes the own password and second factor, never those of the account', async () => {
  const holder = await server.createUser('leading');
  const anna = await addColleague(server, holder, 'readOnly');
  const operator = await addColleague(server, holder, 'operator');
  const body = { password: 'changed12', confirm: 'changed12', current: password };
  for (const who of [anna, operator]) {
    for (const id of [holder.user.id, holder.user.id.toUpperCase()]) {
      expect(await who.calls.users.changePassword({ params: { id }, body: { ...body } })).toMatchObject({
        error: 'HOLDER_ONLY',
      });
    }
  }
  expect(await holder.calls.users.changePassword({ params: { id: anna.id }, body })).toMatchObject({ code: 404 });
  expect(await operator.calls.users.changePassword({ params: { id: anna.id }, body })).toMatchObject({ code: 404 });
  expect(
    await operator.calls.users.update({ params: { id: holder.user.id }, body: { secondFactorBelow: false } }),
  ).toMatchObject({ error: 'HOLDER_ONLY' });

  const { secret } = await turnOn(anna);
  expect(dataOf(await holder.calls.users.get({ params: { id: holder.user.id } })).secondFactor).toBe(false);
  expect(dataOf(await anna.calls.colleagues.self())).toMatchObject({ secondFactor: true, access: 'readOnly' });
  expect((await people(holder)).colleagues.map(({ secondFactor }) => secondFactor)).toEqual([true, false]);

  const elsewhere = await server.login(holder.user.username);
  dataOf(await anna.calls.users.changePassword({ params: { id: anna.id }, body }));
  expect((await elsewhere.calls.home.summary()).code).toBe(200);
  expect((await server.login(holder.user.username)).user.id).toBe(holder.user.id);
  const answer = dataOf(
    await server
      .as()
      .session.login({ body: { username: anna.username, password: 'changed12', code: await nextCode(secret) } }),
  );
  expect(answer).toMatchObject({ user: { id: holder.user.id } });
});

test('two-factor login that an account requires of everyone it manages binds its colleagues', async () => {
  const holder = await server.createUser('leading');
  const colleague = await addColleague(server, holder, 'operator');
  dataOf(await holder.calls.users.update({ params: { id: holder.user.id }, body: { secondFactorBelow: true } }));
  const answer = dataOf(await server.as().session.login({ body: { username: colleague.username, password } }));
  expect(answer).toMatchObject({ challenge: { setup: { secret: expect.any(String) } } });
  expect((await server.login(holder.user.username)).user.id).toBe(holder.user.id);
});

test('wrong passwords lock the name of a colleague, not that of the account', async () => {
  const holder = await server.createUser('member');
  const { username } = await addColleague(server, holder, 'operator');
  const tryLogin = (wrong: string) => server.as().session.login({ body: { username, password: wrong } });
  for (let n = 0; n < 5; n += 1) expect(await tryLogin('wrongwrong')).toMatchObject({ error: 'BAD_CREDENTIALS' });
  expect(await tryLogin(password)).toMatchObject({ error: 'TOO_MANY' });
  expect((await server.login(holder.user.username)).user.id).toBe(holder.user.id);
});

test('a batch and a withdrawal are undone only by the person who did them, and the audit names that person', async () => {
  const holder = await server.createUser('member');
  const anna = await addColleague(server, holder, 'operator', 'Anna');
  const ben = await addColleague(server, holder, 'operator', 'Ben');
  const { device } = await pairedDevice(server, holder);
  const order = { ids: [device.id], action: 'rename' as const, name: 'Window' };
  const { undo = '' } = dataOf(await anna.calls.batches.start({ body: order }));
  for (const other of [ben, holder]) {
    expect(await other.calls.batches.undo({ body: { undo } })).toMatchObject({ error: 'UNDO_OVER' });
  }
  dataOf(await anna.calls.batches.undo({ body: { undo } }));

  const file = await addFile(server, holder, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const ad = await addAd(holder, 'ad', file.id);
  const { id } = dataOf(
    await ben.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }),
  );
  dataOf(await anna.calls.releases.withdraw({ params: { id } }));
  for (const other of [ben, holder]) {
    expect(await other.calls.releases.restore({ params: { id } })).toMatchObject({ error: 'UNDO_OVER' });
  }
  dataOf(await anna.calls.releases.restore({ params: { id } }));
  const { items } = dataOf(await holder.calls.colleagues.listAudit());
  const by = Object.fromEntries(items.map(({ action, person }) => [action, person?.name ?? null]));
  expect(by).toMatchObject({
    'devices.batch.rename': 'Anna',
    'devices.batch.undo': 'Anna',
    'ads.release': 'Ben',
    'releases.withdraw': 'Anna',
    'releases.restore': 'Anna',
    'files.upload': null,
  });
});

test('an upload of a colleague is the account’s, and the audit names the colleague', async () => {
  const holder = await server.createUser('member');
  const anna = await addColleague(server, holder, 'operator');
  const file = await addFile(server, anna, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  expect(file.owner.id).toBe(holder.user.id);
  const { items } = dataOf(await holder.calls.colleagues.listAudit());
  expect(items.find(({ action }) => action === 'files.upload')?.person?.username).toBe(anna.username);
});

test('what a colleague ordered continues for the account after the colleague was disabled', async () => {
  const holder = await server.createUser('member');
  const anna = await addColleague(server, holder, 'operator');
  const { device } = await pairedDevice(server, holder);
  const file = await addFile(server, holder, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const ad = await addAd(holder, 'ad', file.id);
  const { id } = dataOf(
    await anna.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }),
  );
  dataOf(await holder.calls.colleagues.update({ params: { id: anna.id }, body: { disabled: true } }));
  const release = dataOf(await holder.calls.releases.get({ params: { id } }));
  expect(release).toMatchObject({ operator: { id: holder.user.id }, withdrawnAt: null });
  dataOf(await holder.calls.colleagues.delete({ params: { id: anna.id } }));
  expect(dataOf(await holder.calls.releases.get({ params: { id } })).withdrawnAt).toBeNull();
});
