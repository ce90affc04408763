import { expect, test } from 'vitest';
import { startTestServer } from './server.ts';

const server = await startTestServer();

test.each([100_000, 5000, 40])(
  'a body of %i nested arrays is refused, whether the call reads it or not',
  async (depth) => {
    const session = await server.createUser('leading');
    const body = `{"q":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const status = async (method: string, path: string, headers: Record<string, string> = {}): Promise<number> => {
      const own = { 'content-type': 'application/json', 'authorization': `Bearer ${session.token}` };
      return (await fetch(server.url + path, { method, headers: { ...own, ...headers }, body })).status;
    };
    expect(await status('POST', '/api/captcha')).toBe(400);
    expect(await status('POST', '/api/login')).toBe(400);
    expect(await status('DELETE', '/api/invitations/AAAAAAAA')).toBe(400);
    expect(await status('POST', '/api/users', { 'idempotency-key': `nested ${depth}` })).toBe(400);
  },
);

test('a body with the depth that calls need is read', async () => {
  const body = `{"q":${'['.repeat(20)}${']'.repeat(20)}}`;
  const reply = await fetch(`${server.url}/api/captcha`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(reply.status).toBe(200);
});
