import type { OfferedApp } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { covers } from '../platform/auth/authority.ts';
import type { Signer } from '../platform/auth/signing.ts';

/** Which versions devices are offered, as parts of statements. */

type Sql = RawBuilder<unknown>;

/**
 * Whether version `app` (an alias of `apps`) is offered to the devices of `owner`, by its publisher at least. An
 * account that is disabled publishes nothing.
 */
export const isOffered = (app: Sql, owner: Sql): RawBuilder<boolean> =>
  sql<boolean>`(${app}.published and ${covers(sql`${app}.uploaded_by`, owner)}
    and exists (select from users p where p.id = ${app}.uploaded_by and not p.disabled))`;

/** How far below the root account a publisher is. */
export const depthOf = (publisher: Sql): RawBuilder<number> =>
  sql<number>`(select count(*) from user_scopes n where n.user_id = ${publisher})`;

/**
 * Whether version `a` can replace what the devices of `owner` have: the signer of a package is the one that the nearest
 * publisher uses, or one that may replace it. A publisher further away cannot change it for them, nor one beside them.
 */
const followsPin = (owner: Sql): RawBuilder<boolean> => sql<boolean>`(
  select pin.signer = a.signer or pin.signer = any(a.predecessors) from apps pin
  where pin.package = a.package and pin.signer <> '' and ${isOffered(sql`pin`, owner)}
  order by ${depthOf(sql`pin.uploaded_by`)} desc, pin.code desc limit 1)`;

/** An offer without its address, which is signed for each request. */
export type UnsignedOffer = Omit<OfferedApp, 'url'>;

/**
 * The version that a device of `owner` should install, as JSON, or null: the highest above `code`; the newest of any
 * player app when `package` is null.
 */
export const offerTo = (owner: Sql, packageName: Sql, code: Sql): RawBuilder<UnsignedOffer | null> => sql`(
  select jsonb_build_object('id', a.id, 'name', a.name, 'content', a.content, 'code', a.code, 'istype', a.istype,
    'package', a.package, 'version', a.version, 'bytes', b.bytes, 'sha256', a.sha256, 'signer', a.signer,
    'forced', bool_or(a.forced) over (partition by a.package))
  from apps a join blobs b on b.sha256 = a.sha256
  where a.signer <> '' and ${isOffered(sql`a`, owner)} and ${followsPin(owner)}
    and case when ${packageName} is null then a.istype = 1 else a.package = ${packageName} and a.code > ${code} end
  order by case when ${packageName} is null then extract(epoch from a.created_at) else a.code end desc, a.id desc
  limit 1)`;

export const signOffer = (app: UnsignedOffer, signer: Signer, now?: number): OfferedApp => ({
  ...app,
  url: signer.sign(`/media/${app.sha256}`, now),
});
