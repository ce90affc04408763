import { beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, startTestServer } from '../server.ts';
import { apiAt, MISSING, PASSWORD, personIn, UTC, UUID_V7 } from './client.ts';

/** Envelope, sessions, users, invitations and the home page, called as the page "Calls" names them. */
const server = await startTestServer({ AMS_SELF_REGISTER: 'on' });
const api = apiAt(server.url);

let root: string;
let dealer: Awaited<ReturnType<typeof api.addUser>>;
let member: Awaited<ReturnType<typeof api.addUser>>;

beforeAll(async () => {
  root = await api.login(ADMIN.username);
  dealer = await api.addUser(root, 'leading');
  member = await api.addUser(dealer.token, 'member');
});

interface Listed {
  items: { id: string }[];
  next: string | null;
  total?: number;
}

const USER = 'id username role phone superior disabled remark mp4 img ad_num devices createdAt lastLoginAt'.split(' ');

describe('envelope', () => {
  test('a success has code, message and data', async () => {
    const { status, body, headers } = await api.call('GET', '/settings');
    expect([status, body.code, body.message]).toEqual([200, 200, 'ok']);
    expect(body).toHaveProperty('data');
    expect(body).not.toHaveProperty('error');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test.each([
    ['de', /Benutzername/],
    ['zh', /用户名/],
    ['en', /[Uu]sername/],
  ])('messages are in the language %s of Accept-Language', async (language, word) => {
    const body = { username: dealer.username, password: PASSWORD, role: 'member' };
    const reply = await api.call('POST', '/users', { token: root, body, headers: { 'accept-language': language } });
    expect([reply.status, reply.body.code, reply.body.error]).toEqual([409, 409, 'USERNAME_TAKEN']);
    expect(reply.body.message).toMatch(word);
  });

  test('INVALID names each field with path, rule and message', async () => {
    const { status, body } = await api.call('POST', '/users', { token: root, body: { username: 'a', role: 'member' } });
    expect([status, body.error]).toEqual([400, 'INVALID']);
    const fields = expect.arrayContaining([
      { path: 'username', rule: expect.any(String), message: expect.any(String) },
      { path: 'password', rule: expect.any(String), message: expect.any(String) },
    ]);
    expect(body.details).toEqual({ fields });
  });

  test.each([
    ['a body that is no JSON', '/api/login', { 'content-type': 'application/json' }, '{'],
    ['an upload without its length', '/api/uploads', { 'tus-resumable': '1.0.0' }, undefined],
  ])('%s is INVALID as a whole', async (_, address, headers, body) => {
    const authorization = `Bearer ${root}`;
    const reply = await fetch(server.url + address, { method: 'POST', headers: { ...headers, authorization }, body });
    const fields = [{ path: '', rule: 'invalid', message: 'Not valid' }];
    expect(await reply.json()).toMatchObject({ code: 400, error: 'INVALID', details: { fields } });
  });

  test('a required field that is left out has the prompt of an empty one', async () => {
    const { body } = await api.call('POST', '/login', { body: {} });
    const fields = [
      { path: 'username', rule: 'username.required', message: 'Input username' },
      { path: 'password', rule: 'password.required', message: 'Enter a password' },
    ];
    expect(body).toMatchObject({ code: 400, error: 'INVALID', details: { fields } });
  });

  test.each([
    ['without a token', undefined],
    ['with an unknown one', 'x'.repeat(43)],
  ])('a call %s answers 401 and names the scheme that it asks for', async (_, token) => {
    const { status, body, headers } = await api.call('GET', '/users', token === undefined ? {} : { token });
    expect([status, body.code, body.error]).toEqual([401, 401, 'UNAUTHENTICATED']);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="/);
    expect(headers.get('www-authenticate')?.includes('error="invalid_token"')).toBe(token !== undefined);
  });

  test('every other 401 names the scheme as well', async () => {
    const wrong = await api.call('POST', '/login', { body: { username: 'nobody', password: 'password2' } });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'BAD_CREDENTIALS']);
    const upload = await api.send('POST', '/uploads', { headers: { 'tus-resumable': '1.0.0', 'upload-length': '1' } });
    const device = await api.send('GET', '/player/manifest', { token: root });
    const media = await fetch(`${server.url}/media/${'0'.repeat(64)}`, {
      headers: { authorization: 'Bearer nothing' },
    });
    for (const reply of [wrong, upload, device, media]) {
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
  });

  test('an unknown id or address answers 404 NOT_FOUND', async () => {
    for (const path of [`/users/${MISSING}`, '/users/none', '/nothing']) {
      const { status, body } = await api.call('GET', path, { token: root });
      expect([status, body.code, body.error]).toEqual([404, 404, 'NOT_FOUND']);
    }
  });

  test('a repetition with the same idempotency-key gets the first answer', async () => {
    const headers = { 'idempotency-key': 'a text of mine' };
    const body = { count: 1, role: 'member', days: 7 };
    const first = await api.call('POST', '/invitations', { token: dealer.token, body, headers });
    const second = await api.call('POST', '/invitations', { token: dealer.token, body, headers });
    expect(second.body).toEqual(first.body);
  });

  test('lists are read page by page, and counted on request', async () => {
    const token = dealer.token;
    for (let added = 0; added < 3; added += 1) await api.addUser(token, 'member');
    const whole = await api.data<Listed>('GET', '/users?limit=100&total=true', { token });
    expect(whole).toMatchObject({ next: null, total: whole.items.length });
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await api.data<Listed>('GET', `/users?limit=2${cursor}`, { token });
      expect(page).not.toHaveProperty('total');
      seen.push(...page.items.map(({ id }) => id));
      if (page.next === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
    expect(seen).toEqual(whole.items.map(({ id }) => id));
    for (const limit of ['0', '101', 'x']) {
      expect((await api.call('GET', `/users?limit=${limit}`, { token })).status).toBe(400);
    }
  });
});

describe('session', () => {
  test('POST captcha', async () => {
    const data = await api.data<{ captchaId: string; image: string }>('POST', '/captcha');
    expect(data.captchaId).not.toBe('');
    expect(data.image).toMatch(/^data:image\/png;base64,/);
  });

  test('POST login answers the user and begins a session', async () => {
    const reply = await api.call<{ user: object }>('POST', '/login', {
      body: { username: member.username, password: PASSWORD, captchaId: 'any', captcha: 'any' },
    });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body.data.user)).toEqual(expect.arrayContaining(USER));
    expect(reply.headers.get('token')).toMatch(/^[\w-]{20,}$/);
    expect(Number(reply.headers.get('expires_in'))).toBeGreaterThan(0);
    expect(reply.headers.get('role')).toBe('member');
    expect(personIn(reply, 'current')).toEqual({ id: member.id, username: member.username, phone: null });
    expect(personIn(reply, 'superior')).toEqual({ id: dealer.id, username: dealer.username, phone: null });
  });

  test('every authenticated response names the caller', async () => {
    const refused = await api.call('POST', '/users', { token: member.token, body: {} });
    expect([refused.status, refused.body.error]).toEqual([403, 'LEADING_ONLY']);
    const missing = await api.call('GET', `/users/${MISSING}`, { token: member.token });
    for (const reply of [refused, missing, await api.call('GET', '/users', { token: member.token })]) {
      expect(reply.headers.get('role')).toBe('member');
      expect(personIn(reply, 'current')).toMatchObject({ id: member.id });
      expect(personIn(reply, 'superior')).toMatchObject({ id: dealer.id });
    }
    const first = await api.call('GET', '/users', { token: root });
    expect([first.headers.get('role'), first.headers.get('superior')]).toEqual(['leading', null]);
  });

  test('five wrong passwords lock the name', async () => {
    const { username } = await api.addUser(root, 'member');
    const body = { username, password: 'password2' };
    for (let tries = 0; tries < 5; tries += 1) expect((await api.call('POST', '/login', { body })).status).toBe(401);
    const locked = await api.call('POST', '/login', { body: { username, password: PASSWORD } });
    expect([locked.status, locked.body.error]).toEqual([429, 'TOO_MANY']);
    const wait = Number(locked.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
  });

  test('a forbidden user learns the remark', async () => {
    const { id, username } = await api.addUser(root, 'member');
    const body = { disabled: true, remark: 'Invoice 7 is open' };
    expect(await api.data('PATCH', `/users/${id}`, { token: root, body })).toMatchObject(body);
    const reply = await api.call('POST', '/login', { body: { username, password: PASSWORD } });
    expect([reply.status, reply.body.error]).toEqual([401, 'FORBIDDEN_USER']);
    expect(reply.body.details).toMatchObject({ remark: 'Invoice 7 is open' });
  });

  test('POST logout ends the session', async () => {
    const token = await api.login(member.username);
    expect(await api.data('POST', '/logout', { token })).toBeNull();
    expect((await api.call('GET', '/users', { token })).status).toBe(401);
  });

  const person = (username: string) => ({
    username,
    password: PASSWORD,
    confirm: PASSWORD,
    captchaId: '',
    captcha: '',
  });

  test('POST checkregistercode and POST register take an invitation code', async () => {
    const body = { count: 1, role: 'leading', days: 30 };
    const { items } = await api.data<{ items: { code: string }[] }>('POST', '/invitations', {
      token: dealer.token,
      body,
    });
    const code = items[0]?.code ?? '';
    expect(await api.data('POST', '/checkregistercode', { body: { code } })).toEqual({
      valid: true,
      superior: { username: dealer.username },
    });
    const different = { code, ...person('newbie1'), confirm: 'password9' };
    const refused = await api.call('POST', '/register', { body: different });
    expect([refused.status, refused.body.error, refused.body.message]).toEqual([
      422,
      'PASSWORD_DIFFERENT',
      'Password Different',
    ]);
    const reply = await api.call('POST', '/register', { body: { code, ...person('newbie1') } });
    expect(reply.body.data).toMatchObject({ user: { username: 'newbie1', role: 'leading' } });
    expect(reply.headers.get('token')).not.toBeNull();
    expect(personIn(reply, 'superior')).toMatchObject({ id: dealer.id });
    for (const path of ['/checkregistercode', '/register']) {
      const used = await api.call('POST', path, { body: { code, ...person('newbie2') } });
      expect([used.status, used.body.error, used.body.message]).toEqual([
        422,
        'INVALID_INVITATION',
        'Invalid invitation code',
      ]);
    }
  });

  test('POST selfregister takes none', async () => {
    const reply = await api.call('POST', '/selfregister', { body: person('newbie3') });
    expect(reply.body.data).toMatchObject({ user: { username: 'newbie3', role: 'member' } });
    expect(reply.headers.get('token')).not.toBeNull();
  });

  test('checks of invitation codes are limited per address', async () => {
    const guess = () => api.call('POST', '/checkregistercode', { body: { code: 'NOTACODE' } });
    await expect.poll(async () => (await guess()).status, { interval: 0 }).toBe(429);
    const refused = await guess();
    expect([refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual(['TOO_MANY', true]);
  });

  test('GET inviteregistercode answers a spreadsheet, or a picture of one code', async () => {
    const token = dealer.token;
    const sheet = await api.send('GET', '/inviteregistercode?format=xls', { token });
    expect(sheet.headers.get('content-disposition')).toContain('"registration invitation code.xls"');
    expect(sheet.headers.get('content-type')).toBe('application/vnd.ms-excel');
    const made = { token, body: { count: 1, role: 'member', days: 1 } };
    const { items } = await api.data<{ items: { code: string }[] }>('POST', '/invitations', made);
    const picture = await api.send('GET', `/inviteregistercode?format=png&code=${items[0]?.code}`, { token });
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await api.call('GET', '/inviteregistercode', { token: member.token })).status).toBe(403);
  });

  test('GET settings is open', async () => {
    expect(await api.data('GET', '/settings')).toMatchObject({ captcha: false, selfRegister: true });
  });
});

test('POST / sums up the home page', async () => {
  const number = expect.any(Number);
  const summary = {
    users: { total: number, disabled: number, newThisWeek: number },
    devices: { total: number, online: number, expired: number, expiring: number, waiting: number },
    ads: { total: number, released: number },
    resources: { videos: number, images: number, bytes: number, playsToday: number },
    expiring: [],
    merchant: { username: dealer.username, phone: null },
    history: { online: expect.any(Array), plays: expect.any(Array) },
  };
  expect(await api.data('POST', '/', { token: member.token })).toMatchObject(summary);
  expect(await api.data('POST', '', { token: root })).toMatchObject({ ...summary, merchant: null });
});

describe('users', () => {
  const find = (query: string) => api.data<Listed>('GET', `/users?${query}`, { token: dealer.token });

  test('GET users filters by name and state', async () => {
    const named = await find(`q=${member.username.slice(1)}&total=true`);
    expect(named).toMatchObject({ items: [{ id: member.id, superior: { id: dealer.id } }], total: 1 });
    expect(Object.keys(named.items[0] ?? {})).toEqual(expect.arrayContaining(USER));
    expect((await find('state=enabled&limit=100')).items.map(({ id }) => id)).toContain(member.id);
    expect((await find('state=disabled')).items).toEqual([]);
  });

  test('POST, GET, PATCH and DELETE', async () => {
    const token = dealer.token;
    const body = { username: 'tessa1', password: PASSWORD, role: 'member', phone: '+49 30 123456' };
    const made = await api.data<{ id: string }>('POST', '/users', { token, body });
    expect(made).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      username: 'tessa1',
      role: 'member',
      phone: '+49 30 123456',
      superior: { id: dealer.id, username: dealer.username, phone: null },
      disabled: false,
      remark: null,
      mp4: 0,
      img: 0,
      ad_num: 0,
      devices: 0,
      createdAt: expect.stringMatching(UTC),
      lastLoginAt: null,
    });
    const url = `/users/${made.id}`;
    expect(await api.data('GET', url, { token })).toEqual(made);
    expect(await api.data('PATCH', url, { token, body: { phone: '030 999999', role: 'leading' } })).toMatchObject({
      phone: '030 999999',
      role: 'leading',
    });
    for (const remark of [undefined, '', 'x'.repeat(201)]) {
      const refused = await api.call('PATCH', url, { token, body: { disabled: true, remark } });
      expect([refused.status, refused.body.error]).toEqual([400, 'INVALID']);
    }
    expect(await api.data('PATCH', url, { token, body: { disabled: true, remark: 'left' } })).toMatchObject({
      disabled: true,
      remark: 'left',
    });
    expect((await find('state=disabled')).items.map(({ id }) => id)).toEqual([made.id]);
    expect(await api.data('PATCH', url, { token, body: { disabled: false } })).toMatchObject({ disabled: false });
    expect(await api.data('DELETE', url, { token })).toBeNull();
    expect((await api.call('GET', url, { token })).status).toBe(404);
  });

  test('PUT password needs the current one for the own account and ends the other sessions', async () => {
    const { id, username, token } = await api.addUser(root, 'member');
    const other = await api.login(username);
    const url = `/users/${id}/password`;
    const next = { password: 'password3', confirm: 'password3' };
    expect((await api.call('PUT', url, { token, body: next })).status).toBe(400);
    const different = await api.call('PUT', url, { token, body: { ...next, confirm: 'another', current: PASSWORD } });
    expect(different.body.error).toBe('PASSWORD_DIFFERENT');
    expect(await api.data('PUT', url, { token, body: { ...next, current: PASSWORD } })).toMatchObject({ id, username });
    expect((await api.call('GET', '/users', { token })).status).toBe(200);
    expect((await api.call('GET', '/users', { token: other })).status).toBe(401);
    expect(await api.data('PUT', url, { token: root, body: { password: PASSWORD, confirm: PASSWORD } })).toMatchObject({
      id,
    });
  });

  test('invitations are made, listed and revoked', async () => {
    const token = dealer.token;
    const body = { count: 2, role: 'member', days: 365 };
    const { items } = await api.data<{ items: { code: string }[] }>('POST', '/invitations', { token, body });
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      code: expect.any(String),
      role: 'member',
      state: 'unused',
      createdBy: { id: dealer.id },
      createdAt: expect.stringMatching(UTC),
      expiresAt: expect.stringMatching(UTC),
      usedBy: null,
    });
    expect(await api.data('DELETE', `/invitations/${items[0]?.code}`, { token })).toBeNull();
    const listed = await api.data<{ items: object[] }>('GET', '/invitations?limit=2', { token });
    expect(listed.items).toEqual(expect.arrayContaining([{ ...items[0], state: 'revoked' }, items[1]]));
    for (const wrong of [
      { ...body, count: 0 },
      { ...body, count: 501 },
      { ...body, days: 366 },
    ]) {
      expect((await api.call('POST', '/invitations', { token, body: wrong })).status).toBe(400);
    }
    expect((await api.call('GET', '/invitations', { token: member.token })).body.error).toBe('LEADING_ONLY');
  });

  test('a user has the number of its unused codes, and their creator lists them', async () => {
    const { id, token } = await api.addUser(root, 'leading');
    const body = { count: 3, role: 'member', days: 7 };
    const { items } = await api.data<{ items: { code: string }[] }>('POST', '/invitations', { token, body });
    await api.data('DELETE', `/invitations/${items[0]?.code}`, { token });
    expect(await api.data('GET', `/users/${id}`, { token: root })).toMatchObject({ invitations: 2 });
    const made = await api.data<{ items: object[] }>('GET', `/invitations?owner=${id}&state=unused`, { token: root });
    expect(made.items).toHaveLength(2);
    expect((await api.data<Listed>('GET', `/invitations?owner=${member.id}`, { token: root })).items).toEqual([]);
  });

  test('GET audit lists actors, actions and targets for leading users', async () => {
    const { items } = await api.data<{ items: object[] }>('GET', '/audit?limit=1', { token: dealer.token });
    expect(items[0]).toMatchObject({ actor: { id: dealer.id }, action: expect.any(String) });
    expect((await api.call('GET', '/audit', { token: member.token })).status).toBe(403);
  });
});
