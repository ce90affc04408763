import { type Kysely, sql } from 'kysely';

/** Versions of the devices' software. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table apps (
      id uuid primary key,
      name text not null,
      content text not null,
      forced boolean not null,
      istype smallint not null check (istype between 1 and 3),
      package text not null,
      -- The long version code of Android 9 and later, below 2^53.
      code bigint not null,
      version text not null,
      sha256 text not null references blobs,
      icon_sha256 text references blobs,
      published boolean not null default false,
      uploaded_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      unique (package, code)
    );
    create index apps_newest on apps (created_at desc, id desc);
    create index apps_blob on apps (sha256);
    create index apps_icon on apps (icon_sha256);
  `.execute(db);
}
