import { v7 as uuidv7 } from 'uuid';
import type { Viewer } from './auth.ts';
import type { Db } from './database.ts';

declare module './database.ts' {
  interface Tables {
    audit: {
      id: string;
      at: Date;
      actor_id: string | null;
      action: string;
      target_id: string | null;
      target: string | null;
      details: string | null;
    };
  }
}

export interface AuditLine {
  /** `<feature>.<what happened>`, such as `devices.pair`. */
  action: string;
  targetId?: string;
  /** What the thing was called at that moment. */
  target?: string;
  details?: Record<string, unknown>;
}

/** Notes who did what to what; in the transaction of the change itself. */
export async function audit(db: Db, actor: Pick<Viewer, 'id'>, line: AuditLine): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: uuidv7(),
      at: new Date(),
      actor_id: actor.id,
      action: line.action,
      target_id: line.targetId ?? null,
      target: line.target ?? null,
      details: line.details ? JSON.stringify(line.details) : null,
    })
    .execute();
}
