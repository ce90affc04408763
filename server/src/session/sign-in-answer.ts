import type { FastifyReply } from 'fastify';
import { sendIdentity, sendToken } from '../platform/auth/auth.ts';
import { sendBrowser } from './known-browsers.service.ts';
import type { LoginOutcome, SignedIn } from './login.service.ts';

/** Sends a new session with the reply: its token, the browser's cookie and who signed in. */
export function answerSignedIn(
  { user, person, issued, browser }: SignedIn,
  reply: FastifyReply,
): Pick<SignedIn, 'user'> {
  reply.log.info({ address: reply.request.ip, user: user.id, person: person.id }, 'signed in');
  sendToken(reply, issued);
  sendBrowser(reply, browser);
  sendIdentity(reply, { ...user, person });
  return { user };
}

/** Sends a new session, or the challenge that comes before it. */
export const answerOutcome = (outcome: LoginOutcome, reply: FastifyReply) =>
  'challenge' in outcome ? outcome : answerSignedIn(outcome.signedIn, reply);
