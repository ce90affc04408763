import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { upTo } from '../platform/process/lru.ts';

/** A scan that is repeated within this time, as by a reload, counts once. */
const REPEAT_MS = 60_000;
/** More scans of one code a minute are not people in front of a screen. */
const SCANS_A_MINUTE_MAX = 60;
const REMEMBERED_MAX = 20_000;

/** Browsers and messengers that look at a link before anybody opens it. */
const PREVIEWS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a request was made by a person who scanned a code: no robot, no preview of a link. */
export function isPerson(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent'] ?? '';
  return agent !== '' && !isbot(agent) && !PREVIEWS.some((name) => /prefetch|preview/i.test(String(headers[name])));
}

/**
 * Decides which requests count. Callers are remembered for a minute, in this process alone, as hashes with a key that
 * ends with the process: nothing can be learned from them, and nothing is stored.
 */
export class Scanners {
  readonly #key = randomBytes(32);
  readonly #seen = new LRUCache<string, true>({ ...upTo(REMEMBERED_MAX), ttl: REPEAT_MS });
  readonly #counts = new LRUCache<string, number>({ ...upTo(REMEMBERED_MAX), ttl: REPEAT_MS, noUpdateTTL: true });

  /** Whether a scan counts: the first of its kind within a minute. */
  isNew(code: string, address: string, headers: IncomingHttpHeaders): boolean {
    if (!isPerson(headers)) return false;
    const who = [code, address, headers['user-agent'], headers['accept-language']].join('\n');
    const name = createHmac('sha256', this.#key).update(who).digest('base64');
    const count = this.#counts.get(code) ?? 0;
    if (this.#seen.has(name) || count >= SCANS_A_MINUTE_MAX) return false;
    this.#seen.set(name, true);
    this.#counts.set(code, count + 1);
    return true;
  }
}
