import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** libuv has four, and reading files needs one, too. */
const THREADS = 3;

/**
 * A password takes a core for some 15 ms and 19 MiB of its cache. All cores may hash: the threads have a lower priority
 * than the event loop, which answers users who are signed in (`lowerThreadPool`).
 */
const limit = pLimit(Math.min(availableParallelism(), THREADS));

export const hashPassword = (password: string): Promise<string> => limit(() => hash(password));

/** Verified against when there is no such user, so that an answer takes as long. */
const nobody = hash('nobody has this password');

export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const known = passwordHash ?? (await nobody);
  const matches = await limit(() => verify(known, password));
  return matches && passwordHash !== undefined;
}
