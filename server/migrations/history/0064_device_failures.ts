import { type Kysely, sql } from 'kysely';

/** When the files of a device had failed: the reason of gaps in statements. Kept when the device is deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_failures (
      device_id uuid not null,
      since timestamptz not null,
      until timestamptz,
      primary key (device_id, since)
    );
    create index device_failures_open on device_failures (device_id) where until is null;

    create function devices_note_failures() returns trigger language plpgsql as $$ begin
      if new.download ->> 'state' = 'failed' then
        insert into device_failures (device_id, since) values (new.id, now()) on conflict do nothing;
      else
        update device_failures set until = now() where device_id = new.id and until is null;
      end if;
      return null;
    end $$;
    create trigger devices_note_failures after update of download on devices for each row
      when ((old.download ->> 'state' = 'failed') is distinct from (new.download ->> 'state' = 'failed')
        and (old.download ->> 'state' = 'failed' or new.download ->> 'state' = 'failed'))
      execute function devices_note_failures();

    insert into device_failures (device_id, since) select id, now() from devices where download ->> 'state' = 'failed';
  `.execute(db);
}
