import { IMAGE_FORMATS, PASSWORD_LENGTH, type routes, USERNAME_LENGTH, VIDEO_FORMATS } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { bearerOf, sendIdentity, sendToken } from '../platform/auth/auth.ts';
import type { Handlers } from '../platform/http/mount.ts';
import type { Deps } from '../platform/process/deps.ts';
import { checkCaptcha, makeCaptcha } from './captcha.ts';
import type { Guesses } from './guesses.service.ts';
import { browserOf } from './known-browsers.service.ts';
import { Logins } from './login.service.ts';
import { changePassword } from './passwords.service.ts';
import { registrationRoutes } from './registration.routes.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, resetSecondFactor } from './second-factor.service.ts';
import { endSession } from './session.service.ts';
import { answerOutcome, answerSignedIn } from './sign-in-answer.ts';

/** Enough to keep the hashing cores busy; more would only delay others in the database's queue. */
const LOGINS_AT_ONCE = 8;

type SessionHandlers = Handlers<typeof routes.session>;

export const sessionRoutes = (deps: Deps, guesses: Guesses): SessionHandlers => ({
  captcha: () => makeCaptcha(deps),
  settings: async ({ request, reply }) => {
    await greet(deps, request, reply);
    return settingsOf(deps);
  },
  ...loginRoutes(deps, guesses),
  ...registrationRoutes(deps),
  ...secondFactorRoutes(deps, guesses),
  logout: async ({ viewer, request }) => {
    await endSession(deps.db, viewer, bearerOf(request) ?? '');
    return null;
  },
});

/** Sends the identity of the caller who has a session, so that the role is right on this response too. */
async function greet({ identities }: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token = bearerOf(request);
  if (!token) return;
  const known = await identities.user(token).catch(() => undefined);
  if (known) sendIdentity(reply, known.viewer);
  if (known?.renewed) sendToken(reply, known.renewed);
}

const settingsOf = ({ config, conversion }: Deps) => ({
  captcha: config.captcha,
  selfRegister: config.selfRegister,
  usernameLength: USERNAME_LENGTH,
  passwordLength: PASSWORD_LENGTH,
  upload: { ...config.upload, imageFormats: [...IMAGE_FORMATS], videoFormats: [...VIDEO_FORMATS] },
  quotaBytes: config.quotaBytes,
  conversion,
});

function loginRoutes(deps: Deps, guesses: Guesses): Pick<SessionHandlers, 'login' | 'loginCode'> {
  const limit = pLimit(LOGINS_AT_ONCE);
  const logins = new Logins(deps);
  return {
    login: ({ body, request, reply }) =>
      limit(async () => {
        const attempt = async () => {
          if (deps.config.captcha) await checkCaptcha(deps.db, body);
          return logins.logIn(body, browserOf(request));
        };
        return answerOutcome(await guesses.watch(request, attempt, body.code !== undefined), reply);
      }),

    loginCode: async ({ body, request, reply }) => {
      const signedIn = await guesses.watch(request, () => logins.answer(body, browserOf(request)));
      return { ...answerSignedIn(signedIn, reply), recoveryCodes: signedIn.recoveryCodes };
    },
  };
}

const secondFactorRoutes = (
  deps: Deps,
  guesses: Guesses,
): Pick<SessionHandlers, 'beginSecondFactor' | 'confirmSecondFactor' | 'endSecondFactor'> => ({
  beginSecondFactor: ({ viewer, body, request }) => guesses.watch(request, () => beginSecondFactor(deps, viewer, body)),
  confirmSecondFactor: ({ viewer, body, request }) =>
    guesses.watch(request, () => confirmSecondFactor(deps, viewer, body)),
  endSecondFactor: async ({ viewer, body, request }) => {
    await guesses.watch(request, () => endSecondFactor(deps.db, viewer, body));
    return null;
  },
});

/** Calls of users that are about signing in. */
export const signInRoutes = (
  { db }: Pick<Deps, 'db'>,
  guesses: Guesses,
): Pick<Handlers<typeof routes.users>, 'changePassword' | 'resetSecondFactor'> => ({
  changePassword: ({ viewer, params, body, request }) =>
    guesses.watch(request, () => changePassword(db, viewer, params.id, { ...body, browser: browserOf(request) })),
  resetSecondFactor: ({ viewer, params }) => resetSecondFactor(db, viewer, params.id),
});
