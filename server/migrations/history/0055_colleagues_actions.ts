import { type Kysely, sql } from 'kysely';

/** The person who acted for an account, where the audit or an undo asks for it later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table batches add column person_id uuid references users on delete set null;
    alter table uploads add column person_id uuid references users on delete set null;
    alter table releases add column withdrawn_person uuid references users on delete set null;
    create index batches_person on batches (person_id) where person_id is not null;
    create index uploads_person on uploads (person_id) where person_id is not null;
    create index releases_withdrawn_person on releases (withdrawn_person) where withdrawn_person is not null;
  `.execute(db);
}
