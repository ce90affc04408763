import type { ColleagueAccess, User } from '@ams/contract';
import { ADMIN, dataOf, type Session, type TestServer } from './server.ts';

export interface ColleagueSession extends Session {
  id: string;
  username: string;
}

const { password } = ADMIN;
let made = 0;

/** The answer to a registration with a code, and its headers. */
export async function register(
  server: Pick<TestServer, 'url'>,
  body: { code: string; username: string; password?: string; confirm?: string },
): Promise<{ reply: Response; body: { code: number; error?: string; data?: { user: User } } }> {
  const reply = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password, confirm: password, ...body }),
  });
  return { reply, body: (await reply.json()) as { code: number; error?: string; data?: { user: User } } };
}

/** Invites a colleague of an account, who joins and is signed in. */
export async function addColleague(
  server: TestServer,
  holder: Session,
  access: ColleagueAccess,
  name = 'Anna Berg',
): Promise<ColleagueSession> {
  const { code } = dataOf(await holder.calls.colleagues.invite({ body: { name, access } }));
  made += 1;
  const username = `anna${Date.now().toString(36)}${made}`.slice(-20);
  const { reply, body } = await register(server, { code, username });
  if (!body.data) throw new Error(JSON.stringify(body));
  const token = reply.headers.get('token') ?? '';
  const calls = server.as(token);
  return { token, user: body.data.user, calls, username, id: dataOf(await calls.colleagues.self()).id };
}
