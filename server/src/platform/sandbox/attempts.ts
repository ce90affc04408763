import { randomUUID } from 'node:crypto';
import { type Generated, type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { Deps } from '../process/deps.ts';
import { isHarmful, wasKilled } from './limits.ts';
import { type Failure, recordUnparsable } from './unparsable.ts';

declare module '../database/database.ts' {
  interface Tables {
    /** Attempts to parse a content that run or were interrupted. */
    parse_attempts: {
      id: string;
      sha256: string;
      task: string;
      number: number;
      process_id: string | null;
      begun_at: Generated<Date>;
    };
  }
}

/** A content is not parsed again after so many interrupted attempts in a row, unless `interruptionsMax` says otherwise. */
const INTERRUPTIONS_MAX = 3;

/** The running parts of a server process that an attempt needs. */
export type Parsing = Pick<Deps, 'db' | 'processId'>;

/** A content, and what is read from it: a task of the sandbox, or a step of processing. */
interface Content {
  sha256: string;
  task: string;
  interruptionsMax?: number;
}

interface Attempt extends Content {
  id: string;
  processId: string;
}

/** `refused`: the content was not parsed, or harmed its parser, and is not parsed again. */
export type Attempted<T> = { kind: 'done'; value: T } | { kind: 'refused'; failure: Failure };

/** The content must not be parsed. */
class Refusal extends Error {
  override name = 'Refusal';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`the content is ${failure}`);
    this.failure = failure;
  }
}

/**
 * Runs `work` on a content; the attempt is stored when `work` calls `begin`, right before it parses. If the server
 * process dies or the parser is killed from outside meanwhile, the attempt counts as interrupted. After too many in a
 * row, or when the content exceeds a limit or crashes its parser, no process parses it again. Throws every other error
 * of `work`: the attempt does not count.
 */
export async function attempt<T>(
  { db, processId }: Parsing,
  content: Content,
  work: (begin: () => Promise<void>) => Promise<T>,
): Promise<Attempted<T>> {
  const running = { ...content, id: randomUUID(), processId };
  let begun: Promise<void> | undefined;
  let value: T;
  try {
    value = await work(() => (begun ??= begin(db, running)));
  } catch (error) {
    return { kind: 'refused', failure: await failureOf(db, running, error) };
  }
  await succeed(db, running);
  return { kind: 'done', value };
}

/** Ends an attempt that failed. Answers why the content is refused; throws the error when the content is not. */
async function failureOf(db: Db, { id, sha256 }: Attempt, error: unknown): Promise<Failure> {
  if (error instanceof Refusal) return error.failure;
  if (isHarmful(error)) {
    await giveUp(db, sha256, 'tooDemanding');
    return 'tooDemanding';
  }
  if (wasKilled(error)) await db.updateTable('parse_attempts').set({ process_id: null }).where('id', '=', id).execute();
  else await db.deleteFrom('parse_attempts').where('id', '=', id).execute();
  throw error;
}

/** Marks a content that is never parsed again; its attempts are no longer needed. */
async function giveUp(db: Db, sha256: string, failure: Failure): Promise<void> {
  await recordUnparsable(db, sha256, failure);
  await db.deleteFrom('parse_attempts').where('sha256', '=', sha256).execute();
}

/** A condition on `a` (parse_attempts): it did not come to an end, and its process is dead or not to blame. */
const isInterrupted = (processId: string): RawBuilder<boolean> => sql`
  (a.process_id is null or a.process_id <> ${processId} and a.process_id not in (select id from living_processes))`;

/** The transaction does not wait for the disk: what a crash of the database may lose is half a second of attempts. */
const RELAXED = sql`relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting)`;

/**
 * Stores an attempt. It is one more than the interrupted ones; attempts that run at the same moment share a number,
 * so that one power failure is one interruption however many parse the content. Throws `Refusal`.
 */
async function begin(
  db: Db,
  { id, sha256, task, processId, interruptionsMax = INTERRUPTIONS_MAX }: Attempt,
): Promise<void> {
  const { rows } = await sql<{ begun: boolean; failure: Failure | null }>`
    with ${RELAXED}, known as (
      select failure from unparsable_contents where sha256 = ${sha256}
    ), interrupted as (
      select coalesce(max(a.number), 0) as number from parse_attempts a
      where a.sha256 = ${sha256} and a.task = ${task} and ${isInterrupted(processId)}
    ), begun as (
      insert into parse_attempts (id, sha256, task, number, process_id)
      select ${id}, ${sha256}, ${task}, i.number + 1, ${processId} from interrupted i, relaxed
      where i.number < ${interruptionsMax}::integer and not exists (select from known)
      returning 1
    )
    select exists (select from begun) as begun, (select failure from known) as failure ${prepared}`.execute(db);
  const [{ begun, failure } = { begun: false, failure: null }] = rows;
  if (begun) return;
  if (failure !== null) throw new Refusal(failure);
  await giveUp(db, sha256, 'unreadable');
  throw new Refusal('unreadable');
}

/** Removes an attempt that came to its end, and interrupted ones: it was not the content that interrupted them. */
const succeed = (db: Db, { id, sha256, task, processId }: Attempt): Promise<unknown> =>
  sql`
    with ${RELAXED}
    delete from parse_attempts a using relaxed
    where a.sha256 = ${sha256} and a.task = ${task} and (a.id = ${id} or ${isInterrupted(processId)}) ${prepared}`.execute(
    db,
  );

/** Removes the attempts of a process that stops in order. */
export const endAttempts = (db: Db, processId: string): Promise<unknown> =>
  db.deleteFrom('parse_attempts').where('process_id', '=', processId).execute();

/** Removes interrupted attempts on contents that nobody has parsed for a month. */
export const forgetAttempts = (db: Db, processId: string): Promise<unknown> =>
  sql`delete from parse_attempts a where a.begun_at < now() - interval '30 days' and ${isInterrupted(processId)}`.execute(
    db,
  );
