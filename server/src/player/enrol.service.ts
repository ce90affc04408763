import { timingSafeEqual } from 'node:crypto';
import { AppError, type EnrolBody, type EnrolState, type SigningKey } from '@ams/contract';
import type { FastifyRequest } from 'fastify';
import { noteStart, offerCode, pairByKey, type StandingLinks } from '../devices/enrolment.service.ts';
import { refuseUnusableKey } from '../devices/keys.service.ts';
import { bearerOf, hashToken } from '../platform/auth/auth.ts';
import type { Deps } from '../platform/process/deps.ts';
import { webAddress } from '../platform/http/web-address.ts';
import { devicesOf } from './identity.service.ts';

const SECRET_LENGTH_MIN = 16;

type Asking = Required<Pick<EnrolBody, 'mac'>> & {
  enrolmentKey?: string | null | undefined;
  screens?: object[] | undefined;
  timeZone?: string | undefined;
  player?: { version: string; kind: string } | undefined;
  publicKey?: SigningKey | null | undefined;
};

/** A device reports its start with its own secret: it is paired already, paired by the installation's key, or given a code. */
export async function enrol(
  { db, config }: Deps,
  links: StandingLinks,
  { enrolmentKey, publicKey: givenKey, ...body }: Asking,
  request: FastifyRequest,
): Promise<EnrolState> {
  const secret = bearerOf(request);
  if (!secret || secret.length < SECRET_LENGTH_MIN) throw new AppError('UNAUTHENTICATED');
  const secretHash = hashToken(secret);
  const [known] = await devicesOf(db, [secretHash.toString('hex')]);
  const publicKey = givenKey ?? undefined;
  refuseUnusableKey(publicKey);
  const enrolment = { ...body, secretHash, address: request.ip, publicKey };
  if (known !== undefined) {
    await noteStart(db, links, known, enrolment);
    return { state: 'paired' };
  }
  if (isKey(config.enrolmentKey, enrolmentKey) && (await pairByKey(db, links, enrolment))) return { state: 'paired' };
  const { code, seconds } = await offerCode(db, enrolment);
  const qr = `${webAddress(config, request)}/scancode?mac=${encodeURIComponent(body.mac)}&code=${code}`;
  return { state: 'pairing', code, qr, expiresIn: seconds };
}

const isKey = (key: string | undefined, given: string | null | undefined): boolean =>
  Boolean(key && given) && timingSafeEqual(hashToken(key ?? ''), hashToken(given ?? ''));
