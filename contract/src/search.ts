import { z } from 'zod';
import { Role } from './users.ts';
import { routeTable } from './kernel/route.ts';
import { KindNumber, Media, Orientation } from './vocabulary.ts';

/** The longest text that is searched for, in characters. */
export const SEARCH_TEXT_MAX = 100;
/** At most this many of each kind are answered. */
export const SEARCH_HITS_MAX = 5;

/** The kinds of things that one search finds, in the order of the answer. */
export const SEARCH_KINDS = ['device', 'user', 'ad', 'file', 'release', 'campaign'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const Owner = z.object({ id: z.uuid(), username: z.string() });

/** One thing that was found: what a list of results shows of it, and what its page's address needs. */
export const SearchHit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('device'), id: z.uuid(), mac: z.string(), name: z.string(), owner: Owner }),
  z.object({ kind: z.literal('user'), id: z.uuid(), username: z.string(), role: Role }),
  z.object({ kind: z.literal('ad'), id: z.uuid(), name: z.string(), orientation: Orientation, owner: Owner }),
  z.object({
    kind: z.literal('file'),
    id: z.uuid(),
    name: z.string(),
    orientation: Orientation,
    fileKind: KindNumber,
    media: Media,
    owner: Owner,
  }),
  z.object({
    kind: z.literal('release'),
    id: z.uuid(),
    adName: z.string(),
    releasedAt: z.iso.datetime(),
    withdrawn: z.boolean(),
    owner: Owner,
  }),
  /** The owner is its customer. */
  z.object({ kind: z.literal('campaign'), id: z.uuid(), name: z.string(), owner: Owner }),
]) satisfies z.ZodType<{ kind: SearchKind; id: string }>;
export type SearchHit = z.output<typeof SearchHit>;

export const search = routeTable({
  list: {
    method: 'GET',
    url: '/api/search',
    access: 'user',
    summary: `Devices, users, ads, files, releases and campaigns in scope whose name contains a text, at most ${SEARCH_HITS_MAX} of each; devices also by MAC address, area and address`,
    query: z.object({ q: z.string().trim().min(1).max(SEARCH_TEXT_MAX) }),
    response: z.object({ items: z.array(SearchHit) }),
  },
});
