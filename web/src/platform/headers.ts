import { type HeaderReader, session } from './session.ts';
import { storage } from './storage.ts';

/** The `Authorization` header of the session stored in this browser; undefined without one. */
export function authorization(): string | undefined {
  const token = storage.token();
  return token === undefined ? undefined : `Bearer ${token}`;
}

/**
 * Takes over the session values of a response: a renewed token, the role, the current user and the superior.
 * Every transport calls it for every response. `asked` is the `Authorization` header of the request: a response to
 * a session that has ended meanwhile, or was replaced, restores nothing.
 */
export function readHeaders(status: number, asked: string | undefined, header: HeaderReader): void {
  if (status === 401 || asked !== authorization()) return;
  session.take(header);
}
