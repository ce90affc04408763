import { type Kysely, sql } from 'kysely';

/**
 * Apps belong to their publishers, `uploaded_by`: two of them may publish the same package. An app remembers who signed
 * it, a device which app it runs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table apps
      -- SHA-256 of the signer's certificate; null until an APK from before this migration was read.
      add column signer text,
      -- Signers whose apps this one may replace, by a proof of rotation.
      add column predecessors text[] not null default '{}',
      drop constraint apps_package_code_key;
    create index apps_package on apps (package, code desc);
    create index apps_publisher on apps (uploaded_by);
    update apps set uploaded_by = (select id from users where superior_id is null limit 1) where uploaded_by is null;

    alter table devices
      -- What the host app of the device said when it last asked for a newer version of itself.
      add column app_package text,
      add column app_code bigint;
  `.execute(db);
}
