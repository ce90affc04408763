import {
  AppError,
  IMAGE_FORMATS,
  PASSWORD_LENGTH,
  type routes,
  type User,
  USERNAME_LENGTH,
  VIDEO_FORMATS,
} from '@ams/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf, sendIdentity, sendToken } from '../platform/auth.ts';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { Turns } from '../platform/turns.ts';
import {
  exportInvitations,
  findInvitation,
  invitationQr,
  registerUser,
  useInvitation,
} from '../users/invitations.service.ts';
import { recordLogin, rootUser } from '../users/users.service.ts';
import { checkCaptcha, makeCaptcha } from './captcha.ts';
import {
  answerChallenge,
  beginSetup,
  challengeLogin,
  confirmSecondFactor,
  endSecondFactor,
} from './second-factor.service.ts';
import { checkCredentials, endSession, startSession } from './session.service.ts';

/** Wrong passwords from one address, whatever the names: many names, each tried a little, are an attack too. */
export const WRONG_LOGINS = { max: 300, timeWindow: '15 minutes' };

/** Enough to keep the cores that hash passwords busy; more would only stand before the others in the database's queue. */
const LOGINS_AT_ONCE = 8;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

export const sessionRoutes = (deps: Deps, wrongLogins: Limiter): Handlers<typeof routes.session> => {
  const { config, db } = deps;
  const turns = new Turns(LOGINS_AT_ONCE);

  const demandCaptcha = async (body: { captchaId?: string | undefined; captcha?: string | undefined }) => {
    if (config.captcha) await checkCaptcha(db, body);
  };

  const refuseAttackers = async (request: FastifyRequest) => {
    const counted = await wrongLogins(request, { increment: false });
    if (!counted.isAllowed && counted.remaining === 0)
      throw new AppError('TOO_MANY', { seconds: counted.ttlInSeconds });
  };

  /** The name stays out of the log: people type their passwords there. */
  const refuse = (request: FastifyRequest, error: unknown): never => {
    if (error instanceof AppError) request.log.info({ address: request.ip, error: error.error }, 'login refused');
    throw error;
  };

  const begin = async (user: User, reply: FastifyReply) => {
    reply.log.info({ address: reply.request.ip, user: user.id }, 'signed in');
    sendToken(reply, await startSession(db, user.id));
    sendIdentity(reply, user);
    return { user };
  };

  /** Tells somebody with a session who it is, so that the role is right on this response too. */
  const greet = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = bearerOf(request);
    if (!token) return;
    const known = await deps.identities.user(token).catch(() => undefined);
    if (known) sendIdentity(reply, known.viewer);
    if (known?.renewed) sendToken(reply, known.renewed);
  };

  return {
    captcha: () => makeCaptcha(db),

    login: ({ body, request, reply }) =>
      turns.take(async () => {
        await refuseAttackers(request);
        await demandCaptcha(body);
        const { id } = await checkCredentials(db, body.username, body.password).catch(async (error: unknown) => {
          if (error instanceof AppError && error.error === 'BAD_CREDENTIALS') await wrongLogins(request);
          return refuse(request, error);
        });
        const challenge = await challengeLogin(db, id);
        return challenge ? { challenge } : begin(await recordLogin(db, id), reply);
      }),

    loginCode: async ({ body, request, reply }) => {
      const answered = answerChallenge(db, body.challenge, body.code);
      const { userId, recoveryCodes } = await answered.catch((error: unknown) => refuse(request, error));
      return { ...(await begin(await recordLogin(db, userId), reply)), recoveryCodes };
    },

    beginSecondFactor: ({ viewer }) => beginSetup(db, viewer),
    confirmSecondFactor: ({ viewer, body }) => confirmSecondFactor(db, viewer, body),
    endSecondFactor: async ({ viewer, body }) => {
      await endSecondFactor(db, viewer, body.password);
      return null;
    },

    logout: async ({ viewer }) => {
      await endSession(db, viewer);
      return null;
    },

    register: async ({ body, reply }) => {
      await demandCaptcha(body);
      const user = await db.transaction().execute(async (trx) => {
        const invitation = await useInvitation(trx, body.code);
        return registerUser(trx, body, {
          role: invitation.role,
          superiorId: invitation.created_by,
          code: invitation.code,
        });
      });
      return begin(user, reply);
    },

    selfRegister: async ({ body, reply }) => {
      if (!config.selfRegister) throw new AppError('SELF_REGISTER_CLOSED');
      await demandCaptcha(body);
      const root = await rootUser(db);
      const user = await db
        .transaction()
        .execute((trx) => registerUser(trx, body, { role: 'member', superiorId: root.id }));
      return begin(user, reply);
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
      const xls = await exportInvitations(db, viewer);
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
        conversion: deps.conversion,
      };
    },
  };
};
