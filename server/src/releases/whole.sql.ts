import './releases.tables.ts';
import { sql } from 'kysely';

/**
 * Whether a withdrawn release `r` still has its ad and its files: what was deleted does not play again. Devices may play a
 * copy of what was uploaded, which has no row of its own.
 */
export const isWhole = sql<boolean>`(exists (select from ads a where a.id = r.ad_id) and not exists (
  select from release_files f where f.release_id = r.id
    and not exists (select from blobs b where b.sha256 = f.sha256)
    and not exists (select from blobs b where b.play_sha256 = f.sha256)))`;
