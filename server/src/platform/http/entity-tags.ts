/** Does an `If-Match` list name this strong entity tag? The comparison is strong (RFC 9110 §13.1.1). */
export const matchNames = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag);

/** Does an `If-None-Match` list name this strong entity tag? The comparison is weak (RFC 9110 §13.1.2). */
export const noneMatchNames = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

/**
 * Whether a range still belongs to what the caller has. `If-Range` needs a strong match
 * (RFC 9110 §13.1.5); a date never matches, as blobs have none.
 */
export const rangeApplies = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;
