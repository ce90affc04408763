import { type Kysely, sql } from 'kysely';

/**
 * Counts devices for the home page: those that were ever paired, by the server process that holds them, those that
 * failed, and those whose content waits, by the quarter of an hour in which it began to wait and by that process.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'update', 'delete']) {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_functiondef(${`devices_tally_${event}`}::regproc) as definition`.execute(db);
    const extended = (rows[0]?.definition ?? '')
      .replaceAll(
        'done_revision < revision as waiting',
        'done_revision < revision as waiting, paired_at is not null as paired, failed, waiting_since',
      )
      .replaceAll('expires_at, waiting, sum(sign)', 'expires_at, waiting, paired, failed, waiting_since, sum(sign)')
      .replaceAll('group by 1, 2, 3, 4, 5, 6 having', 'group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having')
      .replaceAll(
        `('waiting', '', '-infinity', c.waiting),`,
        `('waiting', '', '-infinity', c.waiting),
      ('paired', coalesce(c.lease::text, ''), '-infinity', c.paired),
      ('failed', '', '-infinity', c.failed),
      ('stalled', c.lease::text, date_bin('15 minutes', c.waiting_since, 'epoch'::timestamptz),
        c.lease is not null and c.waiting and not c.failed),`,
      );
    await sql.raw(extended).execute(db);
  }
  await sql`
    select add_tallies(array(
      select row(d.owner_id, v.subject, v.part, v.at, count(*))::tally_delta
      from devices d cross join lateral (values
        ('paired', coalesce(d.lease::text, ''), '-infinity'::timestamptz, d.paired_at is not null),
        ('failed', '', '-infinity', d.failed),
        ('stalled', d.lease::text, date_bin('15 minutes', d.waiting_since, 'epoch'::timestamptz),
          d.lease is not null and d.done_revision < d.revision and not d.failed)
      ) v(subject, part, at, holds)
      where v.holds group by d.owner_id, v.subject, v.part, v.at))`.execute(db);
}
