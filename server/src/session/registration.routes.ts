import { AppError, type routes } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../platform/process/deps.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { Handlers } from '../platform/http/mount.ts';
import {
  exportInvitations,
  findInvitation,
  invitationQr,
  registerUser,
  useInvitation,
} from '../users/invitations.service.ts';
import { findColleaguePlace, joinAsColleague } from '../users/colleague-invitations.service.ts';
import { rootUser } from '../users/users.service.ts';
import { checkCaptcha } from './captcha.ts';
import { browserOf } from './known-browsers.service.ts';
import { admitOrChallenge } from './login.service.ts';
import { answerOutcome } from './sign-in-answer.ts';

type RegistrationCall = 'register' | 'selfRegister' | 'checkRegisterCode' | 'inviteRegisterCode';
type NewUser = Parameters<typeof registerUser>[1];
type NewAccount = { id: string; username: string };
type Transaction = Parameters<typeof registerUser>[0];

/** Calls by which people become users, and those about the codes that invite them. */
export function registrationRoutes(deps: Deps): Pick<Handlers<typeof routes.session>, RegistrationCall> {
  const { config, db } = deps;

  /** Creates a user or a colleague and signs this person in. */
  const register = async (
    body: NewUser & Parameters<typeof checkCaptcha>[1],
    request: FastifyRequest,
    reply: FastifyReply,
    create: (trx: Transaction) => Promise<NewAccount>,
  ) => {
    if (config.captcha) await checkCaptcha(db, body);
    const outcome = await db.transaction().execute(async (trx) => {
      const { id, username } = await create(trx);
      return admitOrChallenge(trx, deps, { id, username, secret: null }, browserOf(request));
    });
    return answerOutcome(outcome, reply);
  };

  return {
    register: ({ body, request, reply }) =>
      register(body, request, reply, async (trx) => {
        const colleague = await joinAsColleague(trx, body);
        if (colleague) return colleague;
        const { role, created_by: superiorId, code } = await useInvitation(trx, body.code);
        return registerUser(trx, body, { role, superiorId, code });
      }),

    selfRegister: async ({ body, request, reply }) => {
      if (!config.selfRegister) throw new AppError('SELF_REGISTER_CLOSED');
      return register(body, request, reply, async (trx) =>
        registerUser(trx, body, { role: 'member', superiorId: (await rootUser(trx)).id }),
      );
    },

    checkRegisterCode: async ({ body }) => {
      const place = await findColleaguePlace(db, body.code);
      const { username } = place?.account ?? (await findInvitation(db, body.code));
      return {
        ...{ valid: true, superior: { username } },
        ...(place && { colleague: { name: place.name, access: place.access } }),
      };
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
  };
}
