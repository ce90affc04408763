import './session.tables.ts';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { hashToken, newToken } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

const COOKIE = 'ams_browser';
/** A browser that was not signed in with for so long is a stranger again. */
const KNOWN_DAYS = 180;
/** The latest ones of each account are kept; programs that keep no cookie make one with every sign-in. */
const KNOWN_MAX = 20;

/** The token of a browser that was signed in with before. It grants no access. */
export function browserOf({ headers }: FastifyRequest): string | undefined {
  const token = parseCookie(headers.cookie ?? '')[COOKIE];
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

/** Has the browser keep its token, out of reach of scripts. */
export function sendBrowser(reply: FastifyReply, token: string): void {
  const cookie = stringifySetCookie({
    name: COOKIE,
    value: token,
    path: '/api',
    maxAge: KNOWN_DAYS * 86_400,
    httpOnly: true,
    sameSite: 'strict',
    secure: reply.request.protocol === 'https',
  });
  void reply.header('set-cookie', cookie);
}

/**
 * Stores that an account was signed in with by a browser and returns the token for the browser to keep. One that
 * was known to other accounts only gets a new token: somebody may have planted the old one.
 */
export async function rememberBrowser(trx: Db, userId: string, browser: string | undefined): Promise<string> {
  if (browser !== undefined) {
    const known = await trx
      .updateTable('known_browsers')
      .set({ failures: 0, used_at: sql<Date>`now()` })
      .where('token_hash', '=', hashToken(browser))
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (known.numUpdatedRows > 0n) return browser;
  }
  const token = newToken();
  if (browser !== undefined) {
    await trx
      .updateTable('known_browsers')
      .set({ token_hash: hashToken(token) })
      .where('token_hash', '=', hashToken(browser))
      .execute();
  }
  await trx
    .insertInto('known_browsers')
    .values({ token_hash: hashToken(token), user_id: userId })
    .modifyEnd(prepared)
    .execute();
  return token;
}

/** Makes the browsers of an account strangers, but one that may be kept. */
export async function forgetBrowsers(trx: Db, userId: string, except?: string): Promise<void> {
  let forgotten = trx.deleteFrom('known_browsers').where('user_id', '=', userId);
  if (except !== undefined) forgotten = forgotten.where('token_hash', '!=', hashToken(except));
  await forgotten.execute();
}

/** Removes browsers that were not used for long, and all but the latest of an account. */
export async function cleanBrowsers(db: Db): Promise<void> {
  await sql`
    delete from known_browsers k using (
      select token_hash, user_id, used_at, row_number() over (partition by user_id order by used_at desc) as place
      from known_browsers) old
    where k.token_hash = old.token_hash and k.user_id = old.user_id
      and (old.place > ${KNOWN_MAX} or old.used_at < now() - make_interval(days => ${KNOWN_DAYS}))`.execute(db);
}
