import { type Kysely, sql } from 'kysely';

/**
 * The content that a device should hold and its reports of it move to a narrow table without other indexes: a release to all
 * devices rewrites only these rows, in place. `device_waits` has a row for as long as a device's content waits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop view devices_now`.execute(db);
  await moveRevisions(db);
  await queueWaits(db);
  await countDevices(db);
  await noteFailures(db);
  await sql`
    drop trigger devices_note_waiting on devices;
    drop function devices_note_waiting();
    drop index devices_waiting;
    drop index devices_failed;
    alter table devices drop column failed;
    alter table devices
      drop column revision, drop column manifest_revision, drop column manifest_version, drop column reported_revision,
      drop column reported_version, drop column done_revision, drop column download, drop column waiting_since,
      drop column operator_id;
  `.execute(db);
  await showColumns(db);
}

const moveRevisions = (db: Kysely<unknown>) =>
  sql`
    create table device_revisions (
      device_id uuid not null,
      -- The newest change of what the device should hold.
      revision bigint not null default 1,
      -- The change up to which a manifest was made, and its version.
      manifest_revision bigint not null default 0,
      manifest_version text,
      reported_revision bigint not null default 0,
      reported_version text,
      done_revision bigint not null default 0,
      download jsonb,
      -- Without a foreign key, which would be checked for each device of a release; a deleted user is nobody.
      operator_id uuid
      -- All rows of a page can be rewritten on it twice, while old transactions keep what they replace.
    ) with (fillfactor = 30);
    insert into device_revisions
      select id, revision, manifest_revision, manifest_version, reported_revision, reported_version, done_revision,
        download, operator_id
      from devices;
    alter table device_revisions add primary key (device_id),
      add foreign key (device_id) references devices on delete cascade;

    create function devices_add_revisions() returns trigger language plpgsql as $$
    begin
      insert into device_revisions (device_id) select id from new_rows;
      return null;
    end $$;
    create trigger devices_add_revisions after insert on devices referencing new table as new_rows
      for each statement execute function devices_add_revisions();
  `.execute(db);

const WAITS = `done_revision < revision as waits, done_revision < revision and reported_revision >= revision
  and coalesce(download ->> 'state' = 'failed', false) as failed`;

/** Rows of `device_waits` are kept by triggers, so that all that changes a revision keeps them. */
const queueWaits = (db: Kysely<unknown>) =>
  sql
    .raw(
      `
    create table device_waits (
      device_id uuid not null,
      since timestamptz not null default now(),
      failed boolean not null
    );
    insert into device_waits (device_id, since, failed) select id, waiting_since, failed from devices
      where done_revision < revision;
    alter table device_waits add primary key (device_id);
    create index device_waits_failed on device_waits (device_id) where failed;
    analyze device_revisions, device_waits;

    create function device_revisions_begin_waits() returns trigger language plpgsql as $$
    begin
      insert into device_waits (device_id, failed)
        select device_id, failed from (select device_id, ${WAITS} from new_rows) n where waits;
      return null;
    end $$;
    create trigger device_revisions_begin_waits after insert on device_revisions referencing new table as new_rows
      for each statement execute function device_revisions_begin_waits();

    create function device_revisions_note_waits() returns trigger language plpgsql as $$
    declare
      waiting uuid[];
      failing boolean[];
      done uuid[];
    begin
      select array_agg(device_id order by device_id) filter (where waits),
        array_agg(failed order by device_id) filter (where waits),
        array_agg(device_id order by device_id) filter (where not waits)
      into waiting, failing, done
      from (
        select device_id, waits, failed from (
          select 1 as sign, device_id, ${WAITS} from new_rows
          union all select -1 as sign, device_id, ${WAITS} from old_rows
        ) r group by 1, 2, 3 having sum(sign) > 0
      ) changed;
      if done is not null then
        delete from device_waits where device_id = any(done);
      end if;
      if waiting is not null then
        insert into device_waits (device_id, failed) select * from unnest(waiting, failing)
        on conflict (device_id) do update set failed = excluded.failed;
      end if;
      return null;
    end $$;
    create trigger device_revisions_note_waits after update on device_revisions
      referencing old table as old_rows new table as new_rows
      for each statement execute function device_revisions_note_waits();

    -- While its owner is still known.
    create function devices_end_waits() returns trigger language plpgsql as $$
    begin
      delete from device_waits where device_id = old.id;
      return old;
    end $$;
    create trigger devices_end_waits before delete on devices for each row execute function devices_end_waits();
    ${EVENTS.map(countWaits).join('')}`,
    )
    .execute(db);

const EVENTS = ['insert', 'update', 'delete'] as const;
type Event = (typeof EVENTS)[number];

/** The rows that a statement changed, those that it removed with a negative sign. */
function signed(event: Event, columns: string): string {
  const added = `select 1 as sign, ${columns} from new_rows`;
  const removed = `select -1 as sign, ${columns} from old_rows`;
  return { insert: added, delete: removed, update: `${added} union all ${removed}` }[event];
}

const TABLES: Record<Event, string> = {
  insert: 'new table as new_rows',
  delete: 'old table as old_rows',
  update: 'old table as old_rows new table as new_rows',
};

/** Tallies of what waits: `w` is a row of `device_waits`, or null, and `c` its device. */
const WAIT_TALLIES = `
      ('waiting', '', '-infinity'::timestamptz, w.failed is not null),
      ('failed', '', '-infinity', w.failed),
      ('stalled', c.lease::text, date_bin('15 minutes', w.since, 'epoch'::timestamptz),
        c.lease is not null and not w.failed)`;

const ADD = `
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;`;

/**
 * A device is locked before its owner and its lease are read: whoever changes them then sees that it waits. Plans are
 * kept, so that one that is made for a single row must suit a release to all devices: indexes are used in any case.
 */
const countWaits = (event: Event) => `
    create function device_waits_tally_${event}() returns trigger language plpgsql set enable_seqscan to off as $$
      declare deltas tally_delta[];
      begin
        perform from devices d where d.id in (select device_id from ${event === 'delete' ? 'old_rows' : 'new_rows'})
          order by d.id for no key update;
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select device_id, since, failed, sum(sign) as sign from (${signed(event, 'device_id, since, failed')}) r
            group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(w.sign) as n
          from changed w join devices c on c.id = w.device_id cross join lateral (values ${WAIT_TALLIES}
          ) v(subject, part, at, holds)
          where v.holds group by 1, 2, 3, 4) d where d.n <> 0);${ADD}
      end $$;
    create trigger device_waits_tally_${event} after ${event} on device_waits referencing ${TABLES[event]}
      for each statement execute function device_waits_tally_${event}();`;

const COLUMNS = 'id, owner_id, time_zone, lease, expires_at, paired_at is not null as paired';

/** What waits goes along to another owner or process; a device that is added or deleted waits later, or no longer. */
const countDevices = (db: Kysely<unknown>) =>
  sql
    .raw(
      EVENTS.map(
        (event) => `
    create or replace function devices_tally_${event}() returns trigger language plpgsql set enable_seqscan to off as $$
      declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select id, owner_id, time_zone, lease, expires_at, paired, sum(sign) as sign
            from (${signed(event, COLUMNS)}) r
            group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
          ), moved as (
            select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
          from changed c ${event === 'update' ? 'left join device_waits w on w.device_id = c.id' : ''}
          cross join lateral (values
            ('devices', '', '-infinity'::timestamptz, true),
            ('paired', coalesce(c.lease::text, ''), '-infinity', c.paired),
            ('online', c.lease::text, '-infinity', c.lease is not null),
            ('expires', '', c.expires_at, c.expires_at is not null)
            ${event === 'update' ? `, ${WAIT_TALLIES}` : ''}
          ) v(subject, part, at, holds)
          where v.holds group by 1, 2, 3, 4
          union all
          select m.owner_id, 'plays', m.time_zone, p.day::timestamp at time zone 'UTC', sum(m.sign * p.plays)
          from moved m join play_days p on p.device_id = m.id and p.day >= (now() at time zone 'UTC')::date - 15
          group by 1, 2, 3, 4) d where d.n <> 0);${ADD}
      end $$;`,
      ).join(''),
    )
    .execute(db);

const noteFailures = (db: Kysely<unknown>) =>
  sql`
    drop function devices_note_failures cascade;
    create function device_revisions_note_failures() returns trigger language plpgsql as $$ begin
      if new.download ->> 'state' = 'failed' then
        insert into device_failures (device_id, since) values (new.device_id, now()) on conflict do nothing;
      else
        update device_failures set until = now() where device_id = new.device_id and until is null;
      end if;
      return null;
    end $$;
    create trigger device_revisions_note_failures after update of download on device_revisions for each row
      when ((old.download ->> 'state' = 'failed') is distinct from (new.download ->> 'state' = 'failed')
        and (old.download ->> 'state' = 'failed' or new.download ->> 'state' = 'failed'))
      execute function device_revisions_note_failures();
  `.execute(db);

const showColumns = (db: Kysely<unknown>) =>
  sql`
    create view devices_now as
      select d.*, c.revision, c.manifest_revision, c.manifest_version, c.reported_revision, c.reported_version,
        c.done_revision, c.download, c.operator_id, coalesce(w.failed, false) as failed, w.since as waiting_since,
        exists (select from living_processes p where p.id = d.lease) as online,
        c.done_revision >= c.revision as done,
        coalesce(d.expires_at <= now(), false) as expired,
        coalesce(d.expires_at > now() and d.expires_at <= now() + interval '720 hours', false) as expiring
      from devices d
        -- Left joins to keys: a query that reads none of their columns does not pay for them.
        left join device_revisions c on c.device_id = d.id
        left join device_waits w on w.device_id = d.id;
  `.execute(db);
