import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { makeDb } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { makeDatabase } from './server.ts';

const BEFORE = '0018_quick_searches';
const SHA256 = 'a'.repeat(64);

test('files, ads, releases and unfinished uploads of before keep their meaning under the new names', async () => {
  const { url: _, ...connection } = await makeDatabase();
  const pool = new pg.Pool(connection);
  const db = makeDb(pool);
  await migrate(db, BEFORE);
  const frozen = {
    screen: 1,
    split: 'two',
    regions: {
      top: [{ sha256: SHA256, kind: 'video', durationMs: 5000 }],
      bottom: [
        { sha256: SHA256, kind: 'image', durationMs: 7000 },
        { sha256: SHA256, kind: 'image', durationMs: 8000 },
      ],
    },
  };
  await sql`
    with owner as (
      insert into users (id, username, username_key, password_hash, role)
      values (gen_random_uuid(), 'anna', 'anna', '-', 'leading') returning id
    ), scope as (
      insert into user_scopes (ancestor_id, user_id) select id, id from owner
    ), blob as (
      insert into blobs (sha256, bytes, state) values (${SHA256}, 1, 'ready')
    ), film as (
      insert into files (id, owner_id, name, screen, type, sha256)
      select gen_random_uuid(), id, 'film', 1, 2, ${SHA256} from owner returning id
    ), side as (
      insert into files (id, owner_id, name, screen, type, sha256)
      select gen_random_uuid(), id, 'side', 2, 3, ${SHA256} from owner
    ), ad as (
      insert into ads (id, owner_id, name, screen, split, dual, play_mode, show_clock, fit)
      select gen_random_uuid(), id, 'ad', 1, 'two', false, 'sequence', false, 'contain' from owner returning id
    ), item as (
      insert into ad_items (ad_id, region, position, file_id) select ad.id, 'top', 0, film.id from ad, film
    ), upload as (
      insert into uploads (id, uploader_id, kind, metadata, size, place)
      select gen_random_uuid(), id, 'file',
        '{"name":"a.mp4","screen":"2","type":"2","owner":"x"}'::jsonb, 1, 'somewhere' from owner
    )
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme)
    select gen_random_uuid(), ad.id, 'ad', owner.id, true, 'normal', ${JSON.stringify(frozen)}::jsonb
    from ad, owner`.execute(db);

  await migrate(db);

  const rows = async (query: string) => (await sql.raw(query).execute(db)).rows;
  expect(await rows('select name, orientation, kind, media from files order by name')).toEqual([
    { name: 'film', orientation: 'vertical', kind: 2, media: 'video' },
    { name: 'side', orientation: 'horizontal', kind: 3, media: 'image' },
  ]);
  expect(await rows('select orientation from ads')).toEqual([{ orientation: 'vertical' }]);
  expect(await rows('select kind, file_id is not null as has_file from ad_items')).toEqual([
    { kind: 'file', has_file: true },
  ]);
  expect(await rows('select purpose, metadata from uploads')).toEqual([
    { purpose: 'file', metadata: { name: 'a.mp4', orientation: 'horizontal', kind: '2', owner: 'x' } },
  ]);
  const file = { kind: 'file', sha256: SHA256 };
  expect(await rows('select programme from releases')).toEqual([
    {
      programme: {
        orientation: 'vertical',
        split: 'two',
        regions: {
          top: [{ ...file, media: 'video', durationMs: 5000 }],
          bottom: [
            { ...file, media: 'image', durationMs: 7000 },
            { ...file, media: 'image', durationMs: 8000 },
          ],
        },
      },
    },
  ]);
  expect(
    await rows(`select subject, sum(n)::int as n from tallies where subject in ('videos', 'images')
    and not below group by 1 order by 1`),
  ).toEqual([
    { subject: 'images', n: 1 },
    { subject: 'videos', n: 1 },
  ]);
  await db.destroy();
});
