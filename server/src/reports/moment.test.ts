import { randomUUID } from 'node:crypto';
import { read, utils } from '@e965/xlsx';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { changedMeanwhile } from '../../test/meanwhile.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { sharedStatement } from '../campaigns/shared-statement.ts';
import { sharedWall } from '../devices/shared-wall.ts';
import { messagesFor } from '../platform/http/messages.ts';
import { openShare } from '../shares/shares.service.ts';
import { exportPlays } from './export.service.ts';
import { sharedReport } from './shared-report.ts';

/** Reports that are read while devices report plays. */
const server = await startTestServer();
const { db, sandbox } = server.deps;
const dealer = await server.createUser('leading');
const video = await addFile(server, dealer, await makeMp4(1, 2), {
  name: 'spot.mp4',
  orientation: 'vertical',
  kind: 2,
});

const DAY = { from: '2026-07-01', to: '2026-07-01' };

/** A device that played once on that day; each further report adds a play. */
async function playing() {
  const player = await pairedDevice(server, dealer);
  const devices = { ids: [player.device.id] };
  const ad = await addAd(dealer, 'Spot', video.id);
  const { id: releaseId } = dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${releaseId}`.execute(db);
  let minute = 9;
  const report = async () => {
    minute += 1;
    const at = `2026-07-01T08:${minute}:00.000Z`;
    const play = { releaseId, sha256: video.sha256, at, durationMs: 2000, screen: 'main' as const };
    const { rejected } = dataOf(await player.calls.player.plays({ body: { batch: randomUUID(), plays: [play] } }));
    expect(rejected).toBe(0);
  };
  await report();
  return { device: player.device.id, report };
}

/** After the totals, before the rows. */
const isTotals = (rows: readonly object[]): boolean => rows.some((row) => 'points' in row);

test('the total of a spreadsheet is the sum of its rows, whatever is reported meanwhile', async () => {
  const { device, report } = await playing();
  const { id, username, role } = dealer.user;
  const person = { id, username, name: username, access: 'holder' as const };
  const viewer = { kind: 'user', id, username, role, phone: null, superior: null, person, tokenHash: Buffer.alloc(32) };
  const { bytes } = await exportPlays(
    { db: changedMeanwhile(db, report, isTotals), sandbox },
    { ...viewer, kind: 'user' },
    { ...DAY, device, group: 'ad', format: 'xls' },
    messagesFor('en').reports,
  );
  const sheet = read(bytes).Sheets['plays'];
  const rows = sheet ? utils.sheet_to_json<unknown[]>(sheet, { header: 1, blankrows: false }) : [];
  const [spot, total] = rows.slice(-2);
  expect(spot?.[0]).toBe('Spot');
  expect(total?.slice(1)).toEqual(spot?.slice(1));
});

test('the total on the page of a link is the sum of its rows, whatever is reported meanwhile', async () => {
  const { device, report } = await playing();
  const subject = { kind: 'report' as const, report: { ...DAY, device, group: 'ad' as const } };
  const { url } = dataOf(await dealer.calls.shares.create({ body: { subject } }));
  const pages = { report: sharedReport, wall: sharedWall, statement: sharedStatement };
  const token = url.split('/').at(-1) ?? '';
  const reader = { language: 'en' as const, words: messagesFor('en') };
  const page = await openShare(changedMeanwhile(db, report, isTotals), pages, token, reader);
  const plays = [...(page?.html ?? '').matchAll(/<tr><td>[^\n]*?<td class="number">(\d+)<\/td>/g)].map(([, n]) => n);
  expect(plays).toEqual(['1', '1']);
});
