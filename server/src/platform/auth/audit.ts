import { type AuditAction, formatMac } from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Person } from './auth.ts';
import type { Db } from '../database/database.ts';

declare module '../database/database.ts' {
  interface Tables {
    audit: {
      id: string;
      at: Date;
      actor_id: string | null;
      actor_name: string;
      /** The colleague who acted for the user, by the names of that moment; null for the holder of the account. */
      person_name: string | null;
      person_username: string | null;
      scope_id: string;
      action: string;
      target_id: string | null;
      target: string | null;
      details: string | null;
    };
  }
}

export interface AuditLine {
  action: AuditAction;
  targetId?: string;
  /** Name of the object at that moment. */
  target?: string;
  details?: Record<string, unknown>;
  /** The user in whose scope it happened, when that is not the actor's own. */
  scopeId?: string;
  /** Of an action of several transactions: each of them replaces the details of the one before. */
  id?: string;
}

/** The user whose action is noted, and the person who acted for it. */
export interface AuditActor {
  id: string;
  person?: Pick<Person, 'id'> | undefined;
}

/** Notes who did what to what; in the transaction of the change itself. */
export async function audit(db: Db, actor: AuditActor, line: AuditLine): Promise<void> {
  await sql`
    insert into audit (id, at, actor_id, actor_name, person_name, person_username, scope_id, action, target_id, target,
      details)
    select ${line.id ?? uuidv7()}::uuid, ${new Date()}::timestamptz, u.id, u.username, p.name, p.username, ${line.scopeId ?? actor.id}::uuid, ${line.action},
      ${line.targetId ?? null}::text, ${line.target ?? null}::text,
      ${line.details ? JSON.stringify(line.details) : null}::jsonb
    from users u left join users p on p.id = ${actor.person?.id ?? null}::uuid and p.colleague_of = u.id
    where u.id = ${actor.id}
    on conflict (id) do update set details = excluded.details`.execute(db);
}

/** Records an action of a device in its owner's scope, under the MAC in `target`. */
export async function auditDeviceItself(
  db: Db,
  ownerId: string,
  { action, targetId, target, details }: Required<Omit<AuditLine, 'scopeId' | 'id'>>,
): Promise<void> {
  await sql`
    insert into audit (id, at, actor_id, actor_name, scope_id, action, target_id, target, details)
    values (${uuidv7()}, ${new Date()}, null, ${formatMac(target)}, ${ownerId}, ${action}, ${targetId}, ${target},
      ${JSON.stringify(details)}::jsonb)`.execute(db);
}

/** Moves the lines of one user's scope to that of another. */
export const handOverAudit = (trx: Db, from: string, to: string): Promise<unknown> =>
  trx.updateTable('audit').set({ scope_id: to }).where('scope_id', '=', from).execute();
