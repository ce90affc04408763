import { AppError, IMAGE_FORMATS, PASSWORD_LENGTH, type routes, USERNAME_LENGTH, VIDEO_FORMATS } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf, sendIdentity, sendToken } from '../platform/auth/auth.ts';
import type { Deps } from '../platform/process/deps.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { Handlers } from '../platform/http/mount.ts';
import pLimit from 'p-limit';
import {
  exportInvitations,
  findInvitation,
  invitationQr,
  registerUser,
  useInvitation,
} from '../users/invitations.service.ts';
import { rootUser } from '../users/users.service.ts';
import { checkCaptcha, makeCaptcha } from './captcha.ts';
import type { Guesses } from './guesses.service.ts';
import { browserOf, sendBrowser } from './known-browsers.service.ts';
import { admitOrChallenge, type LoginOutcome, Logins, type SignedIn } from './login.service.ts';
import { changePassword } from './passwords.service.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, resetSecondFactor } from './second-factor.service.ts';
import { endSession } from './session.service.ts';

/** Enough to keep the hashing cores busy; more would only delay others in the database's queue. */
const LOGINS_AT_ONCE = 8;

export const sessionRoutes = (deps: Deps, guesses: Guesses): Handlers<typeof routes.session> => {
  const { config, db } = deps;
  const limit = pLimit(LOGINS_AT_ONCE);
  const logins = new Logins(deps);

  const demandCaptcha = async (body: { captchaId?: string | undefined; captcha?: string | undefined }) => {
    if (config.captcha) await checkCaptcha(db, body);
  };

  const begin = ({ user, issued, browser }: SignedIn, reply: FastifyReply) => {
    reply.log.info({ address: reply.request.ip, user: user.id }, 'signed in');
    sendToken(reply, issued);
    sendBrowser(reply, browser);
    sendIdentity(reply, user);
    return { user };
  };

  const answerWith = (outcome: LoginOutcome, reply: FastifyReply) =>
    'challenge' in outcome ? outcome : begin(outcome.signedIn, reply);

  /** Tells somebody with a session who it is, so that the role is right on this response too. */
  const greet = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = bearerOf(request);
    if (!token) return;
    const known = await deps.identities.user(token).catch(() => undefined);
    if (known) sendIdentity(reply, known.viewer);
    if (known?.renewed) sendToken(reply, known.renewed);
  };

  return {
    captcha: () => makeCaptcha(deps),

    login: ({ body, request, reply }) =>
      limit(async () => {
        const attempt = async () => {
          await demandCaptcha(body);
          return logins.logIn(body, browserOf(request));
        };
        return answerWith(await guesses.watch(request, attempt, body.code !== undefined), reply);
      }),

    loginCode: async ({ body, request, reply }) => {
      const signedIn = await guesses.watch(request, () => logins.answer(body, browserOf(request)));
      return { ...begin(signedIn, reply), recoveryCodes: signedIn.recoveryCodes };
    },

    beginSecondFactor: ({ viewer, body, request }) =>
      guesses.watch(request, () => beginSecondFactor(deps, viewer, body)),
    confirmSecondFactor: ({ viewer, body, request }) =>
      guesses.watch(request, () => confirmSecondFactor(deps, viewer, body)),
    endSecondFactor: async ({ viewer, body, request }) => {
      await guesses.watch(request, () => endSecondFactor(db, viewer, body));
      return null;
    },

    logout: async ({ viewer }) => {
      await endSession(db, viewer);
      return null;
    },

    register: async ({ body, request, reply }) => {
      await demandCaptcha(body);
      const outcome = await db.transaction().execute(async (trx) => {
        const invitation = await useInvitation(trx, body.code);
        const place = { role: invitation.role, superiorId: invitation.created_by, code: invitation.code };
        const user = await registerUser(trx, body, place);
        return admitOrChallenge(trx, deps, { ...user, secret: null }, browserOf(request));
      });
      return answerWith(outcome, reply);
    },

    selfRegister: async ({ body, request, reply }) => {
      if (!config.selfRegister) throw new AppError('SELF_REGISTER_CLOSED');
      await demandCaptcha(body);
      const root = await rootUser(db);
      const outcome = await db.transaction().execute(async (trx) => {
        const user = await registerUser(trx, body, { role: 'member', superiorId: root.id });
        return admitOrChallenge(trx, deps, { ...user, secret: null }, browserOf(request));
      });
      return answerWith(outcome, reply);
    },

    checkRegisterCode: async ({ body }) => {
      const superior = await findInvitation(db, body.code);
      return { valid: true, superior: { username: superior.username } };
    },

    inviteRegisterCode: async ({ viewer, query, request, reply }) => {
      if (query.format === 'png') {
        const png = await invitationQr(deps, viewer, query.code ?? '', request);
        void reply.type('image/png').send(png);
        return;
      }
      const xls = await exportInvitations(deps, viewer, {
        timeZone: query.timeZone,
        messages: messagesFor(request.headers['accept-language']),
      });
      void reply
        .type('application/vnd.ms-excel')
        .header('content-disposition', 'attachment; filename="registration invitation code.xls"')
        .send(xls);
    },

    settings: async ({ request, reply }) => {
      await greet(request, reply);
      return {
        captcha: config.captcha,
        selfRegister: config.selfRegister,
        usernameLength: USERNAME_LENGTH,
        passwordLength: PASSWORD_LENGTH,
        upload: { ...config.upload, imageFormats: [...IMAGE_FORMATS], videoFormats: [...VIDEO_FORMATS] },
        quotaBytes: config.quotaBytes,
        conversion: deps.conversion,
      };
    },
  };
};

/** Calls of users that are about signing in. */
export const signInRoutes = (
  { db }: Pick<Deps, 'db'>,
  guesses: Guesses,
): Pick<Handlers<typeof routes.users>, 'changePassword' | 'resetSecondFactor'> => ({
  changePassword: ({ viewer, params, body, request }) =>
    guesses.watch(request, () => changePassword(db, viewer, params.id, { ...body, browser: browserOf(request) })),
  resetSecondFactor: ({ viewer, params }) => resetSecondFactor(db, viewer, params.id),
});
