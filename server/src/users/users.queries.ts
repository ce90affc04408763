import './users.tables.ts';
import {
  type Media,
  type Page,
  type PageQuery,
  sortingOf,
  type User,
  USER_SORTS,
  type UserRef,
  type users,
} from '@ams/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import { compiledOnce } from '../platform/database/compiled-once.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { compiledForms } from '../platform/database/forms.ts';
import { newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import { prepared } from '../platform/database/prepared.ts';
import { inScope } from '../platform/auth/scope.ts';

const FILE_COUNTS = { image: 'img', video: 'mp4' } as const satisfies Record<Media, keyof User>;

const fileCount = (media: Media) =>
  sql<number>`(select count(*) from files f where f.owner_id = x.id and f.media = ${sql.lit(media)})`;

const selectUsers = compiledOnce((db: Db) =>
  db
    .selectFrom('users as x')
    .where('x.colleague_of', 'is', null)
    .select([
      'x.id',
      'x.username',
      'x.role',
      'x.phone',
      'x.disabled',
      'x.remark',
      userRef<UserRef | null>(sql`x.superior_id`).as('superior'),
      fileCount('video').as(FILE_COUNTS.video),
      fileCount('image').as(FILE_COUNTS.image),
      sql<number>`(select count(*) from ads a where a.owner_id = x.id)`.as('ad_num'),
      sql<number>`(select count(*) from devices d where d.owner_id = x.id)`.as('devices'),
      sql<number>`(select count(*) from invitations i where i.created_by = x.id
        and i.used_at is null and i.revoked_at is null and i.expires_at > now())`.as('invitations'),
      'x.quota_bytes as quotaBytes',
      sql<number>`(select coalesce(sum(t.n), 0) from tallies t
        where t.user_id = x.id and t.subject = 'bytes' and t.part = '' and not t.below)`.as('usedBytes'),
      sql<boolean>`x.totp_secret is not null`.as('secondFactor'),
      'x.second_factor_below as secondFactorBelow',
      // Leading users are responsible for their releases themselves.
      sql<boolean>`x.releases_need_approval and x.role = 'member'`.as('releasesNeedApproval'),
      'x.working_hours as workingHours',
      iso(sql`x.created_at`).as('createdAt'),
      sql<string | null>`${iso(sql`x.last_login_at`)}`.as('lastLoginAt'),
    ]),
);

const runUser = compiledForms();

/** One user, or undefined; no scope is looked at. */
export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const [user] = await runUser(db, '', { id }, (slots) =>
    selectUsers(db).where('x.id', '=', slots.id).modifyEnd(prepared),
  );
  return user;
}

export const findUserInScope = (db: Db, viewer: Pick<Viewer, 'id' | 'role'>, id: string): Promise<User | undefined> =>
  selectUsers(db)
    .where('x.id', '=', id)
    .where(inScope(viewer, sql`x.id`))
    .executeTakeFirst();

type ListQuery = z.output<typeof users.list.query>;

const SORTS: Record<(typeof USER_SORTS)[number], SortColumn> = {
  username: { column: sql`x.username_key`, type: 'word' },
  lastLoginAt: { column: sql`coalesce(x.last_login_at, '-infinity')`, type: 'time' },
  createdAt: { column: sql`x.created_at`, type: 'time' },
};

/** Users in scope, newest first unless the query has another order. */
export function listUsers(db: Db, viewer: Viewer, query: ListQuery & PageQuery): Promise<Page<User>> {
  let chosen = selectUsers(db).where(inScope(viewer, sql`x.id`));
  if (query.q) chosen = chosen.where(sql<boolean>`x.username_key like ${contains(query.q.toLowerCase())}`);
  if (query.state) chosen = chosen.where('x.disabled', '=', query.state === 'disabled');
  const sorting = sortingOf(USER_SORTS, query.sort);
  return sorting
    ? sorted(chosen, query, sorting, SORTS[sorting.key], sql`x.id`)
    : newestFirst(chosen, query, sql`x.created_at`, sql`x.id`);
}

/** Adds an account and its place in the tree. `id` is new; `username` must be free. */
export async function insertUser(
  db: Db,
  user: {
    id: string;
    username: string;
    passwordHash: string;
    role: User['role'];
    phone?: string | null;
    superiorId: string | null;
  },
): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      username_key: user.username.toLowerCase(),
      password_hash: user.passwordHash,
      role: user.role,
      phone: user.phone ?? null,
      superior_id: user.superiorId,
    })
    .execute();
  await sql`insert into user_scopes (ancestor_id, user_id)
    select ancestor_id, ${user.id}::uuid from user_scopes where user_id = ${user.superiorId}::uuid
    union all select ${user.id}::uuid, ${user.id}::uuid`.execute(db);
}
