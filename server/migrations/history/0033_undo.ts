import { type Kysely, sql } from 'kysely';

/** What a batch changed, so that it can be undone for a short time and the audit names old and new values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Set when somebody undoes the batch: nobody does it twice.
    alter table batches add column undone_at timestamptz;
    alter table batch_devices
      -- The values that the batch changed, before and after; null for a device that it left as it was.
      add column before jsonb,
      add column after jsonb,
      -- Releases that it withdrew from the device.
      add column withdrawn uuid[];
  `.execute(db);
}
