import { type Kysely, sql } from 'kysely';

/**
 * Foreign keys look up each row by itself, which is most of the time that a release to many devices takes. Triggers of
 * the statement check and hold all its rows at once, as foreign keys do: what a row refers to stays until the transaction
 * ends, and is refused when it is gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table release_devices drop constraint release_devices_device_id_fkey,
      drop constraint release_devices_release_id_fkey;

    create function release_devices_hold() returns trigger language plpgsql as $$
    declare
      -- Arrays, because a plan that was made for many rows would be kept for few.
      device_ids uuid[] := array(select distinct device_id from new_rows);
      release_ids uuid[] := array(select distinct release_id from new_rows);
      held integer;
    begin
      perform from releases where id = any(release_ids) order by id for key share;
      get diagnostics held = row_count;
      if held < cardinality(release_ids) then
        raise foreign_key_violation using message = 'a release is not present', table = 'release_devices';
      end if;
      perform from devices where id = any(device_ids) order by id for key share;
      get diagnostics held = row_count;
      if held < cardinality(device_ids) then
        raise foreign_key_violation using message = 'a device is not present', table = 'release_devices';
      end if;
      return null;
    end $$;
    create trigger release_devices_hold after insert on release_devices
      referencing new table as new_rows for each statement execute function release_devices_hold();

    create function release_devices_end() returns trigger language plpgsql as $$
    declare
      ids uuid[] := array(select id from old_rows);
    begin
      if tg_table_name = 'devices' then
        delete from release_devices where device_id = any(ids);
      else
        delete from release_devices where release_id = any(ids);
      end if;
      return null;
    end $$;
    create trigger devices_end_releases after delete on devices
      referencing old table as old_rows for each statement execute function release_devices_end();
    create trigger releases_end_devices after delete on releases
      referencing old table as old_rows for each statement execute function release_devices_end();
  `.execute(db);
}
