import { type Kysely, sql } from 'kysely';

/** Orientation, kind and media get their names; an item of a playlist says what it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table files alter column screen type text using case screen when 1 then 'vertical' else 'horizontal' end;
    alter table files rename column screen to orientation;
    alter table files rename column type to kind;
    alter table files add column media text not null
      generated always as (case when kind = 2 then 'video' else 'image' end) stored;
    alter table ads alter column screen type text using case screen when 1 then 'vertical' else 'horizontal' end;
    alter table ads rename column screen to orientation;
    alter table ad_items add column kind text not null default 'file', alter column file_id drop not null,
      add constraint ad_items_file check ((kind = 'file') = (file_id is not null));
    alter table ad_items alter column kind drop default;
    alter table uploads rename column kind to purpose;
    update uploads set metadata = metadata - 'screen' - 'type' || jsonb_build_object(
      'orientation', case metadata ->> 'screen' when '1' then 'vertical' else 'horizontal' end,
      'kind', metadata ->> 'type')
    where purpose = 'file';
  `.execute(db);
  await freezeAnew(db);
  await countMedia(db);
}

const freezeAnew = (db: Kysely<unknown>) =>
  sql`
    update releases r set programme = r.programme - 'screen' || jsonb_build_object(
      'orientation', case r.programme ->> 'screen' when '1' then 'vertical' else 'horizontal' end,
      'regions', (
        select coalesce(jsonb_object_agg(region.key, (
          select coalesce(jsonb_agg(item || jsonb_build_object('kind', 'file', 'media', item -> 'kind') order by place), '[]')
          from jsonb_array_elements(region.value) with ordinality as items(item, place))), '{}')
        from jsonb_each(r.programme -> 'regions') as region))`.execute(db);

/** The triggers that count files for the home page read the new column. */
async function countMedia(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'update', 'delete']) {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_functiondef(${`files_tally_${event}`}::regproc) as definition`.execute(db);
    const definition = rows[0]?.definition ?? '';
    const renamed = definition
      .replaceAll('owner_id, type, sha256', 'owner_id, media, sha256')
      .replaceAll('r.type = 2', `r.media = 'video'`);
    await sql.raw(renamed).execute(db);
  }
}
