import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SCREENSHOT_MAX_BYTES } from '@ams/contract';
import pg from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { makeDatabase } from '../../../test/server.ts';
import { dumpTable, loadTable } from './rows.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'ams-rows-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const PICTURES = 24;
/** A string of V8 holds 512 MiB, which a thousand rows with a picture each exceed. */
const HELD_MAX_CHARACTERS = 16 * 2 ** 20;

test('large screenshots are dumped and loaded a few at a time', async () => {
  const client = new pg.Client(await makeDatabase(inject('migrated')));
  await client.connect();
  const asked = vi.spyOn(client, 'query');
  try {
    // Screenshots without their devices.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into screenshots (device_id, screen, picture)
       select gen_random_uuid(), 'main', convert_to(repeat(chr(65 + n % 26), $2), 'UTF8') from generate_series(1, $1) n`,
      [PICTURES, SCREENSHOT_MAX_BYTES],
    );
    const sums = `select count(*)::integer as count, md5(string_agg(md5(picture), '' order by device_id)) as hash from screenshots`;
    const before = (await client.query(sums)).rows;
    const file = path.join(folder, 'screenshots');
    await client.query('begin');
    expect(await dumpTable(client, 'screenshots', file)).toBe(PICTURES);
    await client.query('commit');
    await client.query('truncate screenshots');
    expect(await loadTable(client, 'screenshots', file, PICTURES)).toBe(PICTURES);
    expect((await client.query(sums)).rows).toEqual(before);
    const said: unknown[] = await Promise.all(asked.mock.results.map(({ value }) => value));
    const lengths = [...asked.mock.calls, ...said].map((each) => JSON.stringify(each).length);
    expect(Math.max(...lengths)).toBeLessThan(HELD_MAX_CHARACTERS);
  } finally {
    await client.end();
  }
});
