import { expect, test } from 'vitest';
import { dataOf, type Session, startTestServer } from '../../../test/server.ts';

const server = await startTestServer();
const boss = await server.login();

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'nonsense'];

/** Sends an empty body and its type, as clients do that name a type with every call. */
const send = (method: string, url: string, type: string, { token }: Pick<Session, 'token'> = boss) =>
  fetch(server.url + url, {
    method,
    headers: { 'authorization': `Bearer ${token}`, 'content-type': type },
    ...(method !== 'GET' && { body: '' }),
  });

test.each(TYPES)('a call without a body is answered, also when it says %s', async (type) => {
  const { calls, token } = await server.createUser('leading');
  const { id } = dataOf(await calls.groups.create({ body: { name: 'Lobby', filter: {} } }));
  const answers = [
    await send('GET', '/api/groups', type, { token }),
    await send('POST', '/api/captcha', type, { token }),
    await send('POST', '/api/', type, { token }),
    await send('DELETE', `/api/groups/${id}`, type, { token }),
    await send('POST', '/api/logout', type, { token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await calls.users.list()).toMatchObject({ code: 401 });
});

test.each(TYPES)('a call that needs a body refuses an empty one of %s as input', async (type) => {
  const reply = await send('POST', '/api/groups', type);
  expect(await reply.json()).toMatchObject({ code: 400, error: 'INVALID', details: { fields: [{ path: '' }] } });
});
