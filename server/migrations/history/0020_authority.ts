import { type Kysely, sql } from 'kysely';

/** Who is responsible for what takes effect later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Why a rollout paused by itself; null when a person paused it.
    alter table releases add column pause_reason text
      check (pause_reason in ('operatorDisabled', 'operatorDemoted', 'operatorDeleted'));
    create index releases_operator on releases (operator_id) where rollout = 'running' and withdrawn_at is null;

    -- Whose command it is; null for those of an older version.
    alter table device_commands add column operator_id uuid references users on delete cascade;
    create index device_commands_operator on device_commands (operator_id);
  `.execute(db);
}
