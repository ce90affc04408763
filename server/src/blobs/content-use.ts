import type { RawBuilder, SqlBool } from 'kysely';

/**
 * How a feature uses the stored contents. Cleaning spares a content for as long as one feature needs it. All uses
 * are put together in `features.ts`.
 */
export interface ContentUse {
  /** SQL, each an `exists (…)`: a row of the feature needs the content of the row `b` of `blobs`, or what was made of it. */
  needs: readonly RawBuilder<SqlBool>[];
  /** SQL: selects the `name` of each row that needs the content of `b`, where people know it by one. */
  names?: RawBuilder<unknown>;
}
