import { macSearch, SEARCH_HITS_MAX, SEARCH_KINDS, type SearchHit, type SearchKind } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope } from '../platform/auth/scope.ts';
import { contains, type Db, iso } from '../platform/database/database.ts';
import { gramsOf } from '../platform/database/grams.ts';

/** Of more things that match, any that are found first are ranked: PostgreSQL stops reading there. */
const RANKED_MAX = 2000;

/** A row of a kind of thing: where it is found, and which part of an answer it becomes. */
interface Source {
  from: RawBuilder<unknown>;
  /** Uses an index; `text` filters what it finds. */
  indexed: RawBuilder<boolean>;
  text: RawBuilder<boolean>;
  name: RawBuilder<string>;
  owner: RawBuilder<unknown>;
  newest: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  hit: RawBuilder<unknown>;
}

const ownerOf = (id: RawBuilder<unknown>) => sql`
  (select jsonb_build_object('id', o.id, 'username', o.username) from users o where o.id = ${id})`;

/** A device is found by its MAC address too; `device_words` indexes all that it is found by. */
function deviceSource(q: string): Source {
  const hex = macSearch(q);
  const byMac = hex ? sql`or replace(d.mac, ':', '') like ${contains(hex)}` : sql``;
  const macWords = hex ? sql`or w.mac_grams @> ${gramsOf(hex)}` : sql``;
  return {
    from: sql`devices d join device_words w on w.device_id = d.id`,
    indexed: sql`(w.text_grams @> ${gramsOf(q)} ${macWords})`,
    text: sql`(d.name ilike ${contains(q)} or d.area ilike ${contains(q)} or d.address ilike ${contains(q)} ${byMac})`,
    name: sql`d.name`,
    owner: sql`d.owner_id`,
    newest: sql`d.created_at`,
    id: sql`d.id`,
    hit: sql`jsonb_build_object('id', f.id, 'mac', d.mac, 'name', d.name, 'owner', ${ownerOf(sql`d.owner_id`)})
      from devices d where d.id = f.id`,
  };
}

const userSource = (q: string): Source => ({
  from: sql`users u`,
  indexed: sql`u.name_grams @> ${gramsOf(q)}`,
  text: sql`u.colleague_of is null and u.username_key like ${contains(q.toLowerCase())}`,
  name: sql`u.username`,
  owner: sql`u.id`,
  newest: sql`u.created_at`,
  id: sql`u.id`,
  hit: sql`jsonb_build_object('id', u.id, 'username', u.username, 'role', u.role) from users u where u.id = f.id`,
});

const adSource = (q: string): Source => ({
  from: sql`ads a`,
  indexed: sql`all_grams(a.name) @> ${gramsOf(q)}`,
  text: sql`a.name ilike ${contains(q)}`,
  name: sql`a.name`,
  owner: sql`a.owner_id`,
  newest: sql`a.created_at`,
  id: sql`a.id`,
  hit: sql`jsonb_build_object('id', a.id, 'name', a.name, 'orientation', a.orientation,
    'owner', ${ownerOf(sql`a.owner_id`)}) from ads a where a.id = f.id`,
});

const fileSource = (q: string): Source => ({
  from: sql`files m`,
  indexed: sql`all_grams(m.name) @> ${gramsOf(q)}`,
  text: sql`m.name ilike ${contains(q)}`,
  name: sql`m.name`,
  owner: sql`m.owner_id`,
  newest: sql`m.created_at`,
  id: sql`m.id`,
  hit: sql`jsonb_build_object('id', m.id, 'name', m.name, 'orientation', m.orientation, 'fileKind', m.kind,
    'media', m.media, 'owner', ${ownerOf(sql`m.owner_id`)}) from files m where m.id = f.id`,
});

const releaseSource = (q: string): Source => ({
  from: sql`releases r`,
  indexed: sql`all_grams(r.ad_name) @> ${gramsOf(q)}`,
  text: sql`r.ad_name ilike ${contains(q)}`,
  name: sql`r.ad_name`,
  owner: sql`r.owner_id`,
  newest: sql`r.released_at`,
  id: sql`r.id`,
  hit: sql`jsonb_build_object('id', r.id, 'adName', r.ad_name, 'releasedAt', ${iso(sql`r.released_at`)},
    'withdrawn', r.withdrawn_at is not null, 'owner', ${ownerOf(sql`r.owner_id`)}) from releases r where r.id = f.id`,
});

const campaignSource = (q: string): Source => ({
  from: sql`campaigns c`,
  indexed: sql`all_grams(c.name) @> ${gramsOf(q)}`,
  text: sql`c.name ilike ${contains(q)}`,
  name: sql`c.name`,
  owner: sql`c.customer_id`,
  newest: sql`c.created_at`,
  id: sql`c.id`,
  hit: sql`jsonb_build_object('id', c.id, 'name', c.name, 'owner', ${ownerOf(sql`c.customer_id`)})
    from campaigns c where c.id = f.id`,
});

const SOURCES: Record<SearchKind, (q: string) => Source> = {
  device: deviceSource,
  user: userSource,
  ad: adSource,
  file: fileSource,
  release: releaseSource,
  campaign: campaignSource,
};

/** The best hits of a kind as a JSON array: the name itself, names that begin with the text, then the newest. */
function bestOf(kind: SearchKind, viewer: Viewer, q: string): RawBuilder<unknown> {
  const { from, indexed, text, name, owner, newest, id, hit } = SOURCES[kind](q);
  const found = sql`
    select ${id} as id, ${newest} as newest, lower(${name}) = lower(${q}) as same,
      starts_with(lower(${name}), lower(${q})) as starts
    from ${from} where ${indexed} and ${text} and ${inScope(viewer, owner)} limit ${sql.lit(RANKED_MAX)}`;
  const best = sql`
    select f.id, row_number() over (order by f.same desc, f.starts desc, f.newest desc, f.id desc) as place
    from (${found}) f order by place limit ${sql.lit(SEARCH_HITS_MAX)}`;
  return sql`
    (select coalesce(jsonb_agg((select jsonb_build_object('kind', ${sql.lit(kind)}) || ${hit}) order by f.place), '[]')
    from (${best}) f)`;
}

/** Everything in the viewer's scope that a text finds, kind by kind, in one round trip. A member has no users to find. */
export async function searchAll(db: Db, viewer: Viewer, q: string): Promise<SearchHit[]> {
  const kinds = SEARCH_KINDS.filter((kind) => kind !== 'user' || viewer.role === 'leading');
  const hits = sql.join(
    kinds.map((kind) => bestOf(kind, viewer, q)),
    sql` || `,
  );
  const { rows } = await sql<{ hits: SearchHit[] }>`select ${hits} as hits`.execute(db);
  return rows[0]?.hits ?? [];
}
