import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import type { Deps } from '../../process/deps.ts';
import { type Answer, type Derived, derive, type Intent, seal, unseal } from './seal.ts';

/** Time for which a repetition waits for the first answer before it is answered 503. */
const WAIT_MS = 4000;
const LOOK_EVERY_MS = 50;
const SETTLE_AGAIN_MS = 1000;

export type Parts = Pick<Deps, 'db' | 'processId' | 'log' | 'stopping'>;

/**
 * Runs `work` once a day for an intent and answers every repetition with the first answer. `work` answers undefined,
 * or throws, when its answer is not to be kept: a repetition runs it again. At most once: if the process dies between
 * the effect and the stored answer, repetitions are refused.
 * @throws {AppError} `IDEMPOTENCY_KEY_REUSED` (the key came with another request), `OUTCOME_UNKNOWN` (the process of
 * the first request died), `UNAVAILABLE` (the first request still runs)
 */
export async function answerOnce(
  deps: Parts,
  intent: Intent,
  work: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const derived = derive(intent);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    if (await claim(deps, derived)) return runFirst(deps, derived, work);
    const first = await findFirst(deps.db, derived);
    if (first) return first;
    if (performance.now() > until) throw new AppError('UNAVAILABLE');
    await sleep(LOOK_EVERY_MS);
  }
}

async function runFirst(
  deps: Parts,
  derived: Derived,
  work: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  try {
    answer = await work();
    return answer;
  } finally {
    await settle(deps, derived, answer);
  }
}

/** Takes the key for this request, unless another one has it; keys of yesterday are free again. */
async function claim({ db, processId }: Parts, { id, fingerprint }: Derived): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as k (id, fingerprint, process_id) values (${id}, ${fingerprint}, ${processId})
    on conflict (id) do update
      set fingerprint = excluded.fingerprint, process_id = excluded.process_id, answer = null, made_at = now()
      where not ${isOfToday}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** A clock that was set back may leave keys of tomorrow. */
const isOfToday = sql<boolean>`k.made_at between now() - interval '1 day' and now() + interval '1 day'`;

interface First {
  fingerprint: Buffer;
  answer: Buffer | null;
  lives: boolean;
}

/** The first answer; undefined when its request still runs, or left the key to others. */
async function findFirst(db: Db, { id, fingerprint, secret }: Derived): Promise<Answer | undefined> {
  const { rows } = await sql<First>`
    select k.fingerprint, k.answer, exists (select from server_processes p where p.id = k.process_id) as lives
    from idempotency_keys k where k.id = ${id}`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  if (!first.fingerprint.equals(fingerprint)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  if (first.answer) return unseal(first.answer, secret);
  if (!first.lives) throw new AppError('OUTCOME_UNKNOWN');
  return undefined;
}

/** Stores the answer, or frees the key; later, when the database is away now: a key must not stay taken for nothing. */
async function settle(deps: Parts, derived: Derived, answer: Answer | undefined): Promise<void> {
  const { db, processId, log } = deps;
  const mine = sql`id = ${derived.id} and process_id = ${processId} and answer is null`;
  const sealed = answer && seal(answer, derived.secret);
  const attempt = () =>
    sealed
      ? sql`update idempotency_keys set answer = ${sealed} where ${mine}`.execute(db)
      : sql`delete from idempotency_keys where ${mine}`.execute(db);
  await attempt().catch((error: unknown) => {
    log.warn({ err: error }, 'answer to an idempotency key not stored yet');
    void repeat(attempt, deps.stopping);
  });
}

async function repeat(attempt: () => Promise<unknown>, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await sleep(SETTLE_AGAIN_MS, undefined, { ref: false });
    const done = await attempt().then(
      () => true,
      () => false,
    );
    if (done) return;
  }
}

/** Forgets the keys of yesterday. */
export async function cleanIdempotencyKeys(db: Db): Promise<void> {
  await sql`delete from idempotency_keys k where not ${isOfToday}`.execute(db);
}
