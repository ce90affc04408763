import { randomInt, timingSafeEqual } from 'node:crypto';
import { AppError, type EnrolBody, type EnrolState, PAIRING_CODE_MINUTES, PAIRING_TRIES } from '@ams/contract';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Touched, tellOperators } from '../devices/devices.service.ts';
import { bearerOf, hashToken } from '../platform/auth.ts';
import type { Db } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { publish } from '../platform/events.ts';
import { webAddress } from '../platform/web-address.ts';
import { devicesOf } from './identity.service.ts';

const SECRET_LENGTH_MIN = 16;
const CODE_DIGITS = 6;

type Enrolment = Required<Pick<EnrolBody, 'mac'>> & {
  enrolmentKey?: string | null | undefined;
  screens: object[];
  timeZone: string;
  player?: { version: string; kind: string } | undefined;
};

/** A machine says hello with its own secret: paired already, paired by the installation's key, or given a code. */
export async function enrol(deps: Deps, body: Enrolment, request: FastifyRequest): Promise<EnrolState> {
  const secret = bearerOf(request);
  if (!secret || secret.length < SECRET_LENGTH_MIN) throw new AppError('UNAUTHENTICATED');
  const secretHash = hashToken(secret);
  const [known] = await devicesOf(deps.db, [secretHash.toString('hex')]);
  if (known !== undefined) return { state: 'paired' };
  if (await pairByKey(deps, body, secretHash)) return { state: 'paired' };
  const { code, seconds } = await offerCode(deps.db, body, secretHash);
  const qr = `${webAddress(deps.config, request)}/scancode?mac=${encodeURIComponent(body.mac)}&code=${code}`;
  return { state: 'pairing', code, qr, expiresIn: seconds };
}

const sameText = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b));

async function pairByKey(deps: Deps, body: Enrolment, secretHash: Buffer): Promise<boolean> {
  const { enrolmentKey } = deps.config;
  if (!enrolmentKey || !body.enrolmentKey || !sameText(enrolmentKey, body.enrolmentKey)) return false;
  const paired = await deps.db.transaction().execute((trx) => pairKnown(trx, body, secretHash));
  return paired.length > 0;
}

/** Pairs the machine with this MAC, unless one with another secret is there. */
async function pairKnown(trx: Db, body: Enrolment, secretHash: Buffer): Promise<Touched[]> {
  const paired = await trx
    .updateTable('devices')
    .set({
      secret_hash: secretHash,
      paired_at: new Date(),
      screens: JSON.stringify(body.screens),
      player_version: body.player?.version ?? null,
      player_kind: body.player?.kind ?? null,
      revision: sql<number>`revision + 1`,
    })
    .where('mac', '=', body.mac)
    // The key is no licence to push out a machine that is there: another one with its MAC shows a code.
    .where(
      sql<boolean>`not exists (select from devices_now n where n.id = devices.id and n.online and n.secret_hash is not null)`,
    )
    .returning(['id', 'owner_id'])
    .execute();
  await publish(trx, { topic: 'command', ids: paired.map(({ id }) => id), command: 'goodbye' });
  await tellOperators(trx, paired);
  return paired;
}

/** The code this machine shows: the same until it is too old or was guessed at too often. */
async function offerCode(db: Db, body: Enrolment, secretHash: Buffer): Promise<{ code: string; seconds: number }> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const lifetime = sql`now() + make_interval(mins => ${PAIRING_CODE_MINUTES})`;
  const stale = sql`pairings.expires_at <= now() or pairings.tries >= ${PAIRING_TRIES} or pairings.used_by is not null`;
  const { rows } = await sql<{ code: string; seconds: number }>`
    insert into pairings (mac, secret_hash, code, expires_at, screens, time_zone, player_version, player_kind)
    values (${body.mac}, ${secretHash}, ${code}, ${lifetime}, ${JSON.stringify(body.screens)}, ${body.timeZone},
      ${body.player?.version ?? null}, ${body.player?.kind ?? null})
    on conflict (mac, secret_hash) do update set
      code = case when ${stale} then excluded.code else pairings.code end,
      expires_at = case when ${stale} then excluded.expires_at else pairings.expires_at end,
      tries = case when ${stale} then 0 else pairings.tries end,
      used_by = null
    returning code, ceil(extract(epoch from expires_at - now()))::integer as seconds`.execute(db);
  if (!rows[0]) throw new Error('an upsert returns its row');
  return rows[0];
}

/** Forgets machines that asked to be paired and never were. */
export const cleanPairings = (db: Db): Promise<unknown> =>
  sql`delete from pairings where expires_at < now() - interval '1 hour'`.execute(db);
