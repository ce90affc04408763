import { DEVICE_SORTS, type devices } from '@ams/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { encodeCursor } from '../server/src/platform/database/page.ts';
import { CHAIN, GROUPS } from './assortment.ts';
import type { Fleet } from './fleets.ts';
import { login } from './processes.ts';
import { AD } from './rows.ts';

/** Its devices are a hundredth of a million, those of 112 owners; among a thousand 2 owners have 20. */
const GROWING_DEALER = 'dealer10';

type Query = z.input<typeof devices.list.query>;

/** A list as somebody asks for it. */
export interface Asked {
  token: string;
  query: Query;
}

const middle = (count: number): number => Math.floor(count / 2);

/** A device in the middle of the fleet or of what the chain has. */
async function middleOf({ db, devices: count }: Fleet, isOfChain: boolean) {
  const n = isOfChain ? count + middle(CHAIN.devices) : middle(count);
  const { rows } = await sql<{ id: string; at: string; owner: string; name: string; mac: string; key: string }>`
    select d.id, d.owner_id as owner, d.name, d.mac, u.username as key,
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from devices d join users u on u.id = d.owner_id where d.name = ${`Screen ${n}`}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('no device in the middle');
  return row;
}

/** Every filter, search, order and page; searched devices exist in the middle. */
async function queriesOf(fleet: Fleet, isOfChain: boolean): Promise<Record<string, Query>> {
  const row = await middleOf(fleet, isOfChain);
  return {
    'no filter': {},
    'deep page': { cursor: encodeCursor([row.at, row.id]) },
    'online': { online: true },
    'offline': { online: false },
    'paired': { paired: true },
    'never paired': { paired: false },
    'dark': { dark: true },
    'not dark': { dark: false },
    'done': { download: 'done' },
    'waiting': { download: 'waiting' },
    'failed': { download: 'failed' },
    'stalled': { download: 'stalled' },
    'expired': { expiry: 'expired' },
    'expiring': { expiry: 'expiring' },
    'valid': { expiry: 'valid' },
    'waiting and offline': { download: 'waiting', online: false },
    'vertical': { orientation: 'vertical' },
    'fits horizontal': { fits: 'horizontal' },
    'with an ad': { ad: AD },
    'area': { area: 'district 3' },
    'area of ten': { area: 'far away' },
    'all of two tags': { tag: ['shop', 'wall'] },
    'a tag of half': { tag: ['shop'] },
    'a tag of ten': { tag: ['seldom'] },
    'one of two tags': { anyTag: ['wall', 'seldom'] },
    'no such tag': { noTag: ['shop'] },
    'group': { group: isOfChain ? GROUPS.chain : GROUPS.all },
    'of one owner': { owner: row.owner },
    'search: all have it': { q: 'screen' },
    'search: one name': { q: row.name },
    'search: two letters': { q: 'cr' },
    'search: a MAC': { q: row.mac },
    'search: an owner': { q: row.key },
    'search: an area': { q: 'district 3' },
    'search: nothing': { q: 'no such device' },
    'search, offline': { q: 'screen', online: false },
    ...Object.fromEntries(
      DEVICE_SORTS.flatMap((sort) => [
        [`by ${sort}`, { sort }],
        [`by ${sort}, last first`, { sort: `-${sort}` as const }],
      ]),
    ),
  };
}

/** Lists of the first account, of the chain and of the dealer that grows with the fleet, whose names match `only`. */
export async function listsOf(fleet: Fleet, only: RegExp): Promise<Record<string, Asked>> {
  const { ams } = fleet;
  const growing = await login(ams.origin, GROWING_DEALER);
  const sides = [
    { who: '', token: await login(ams.origin), queries: await queriesOf(fleet, false) },
    { who: 'chain: ', token: await login(ams.origin, CHAIN.dealer), queries: await queriesOf(fleet, true) },
    {
      who: 'a hundredth: ',
      token: growing,
      queries: { 'no filter': {}, 'offline': { online: false }, 'search': { q: 'screen' } },
    },
  ];
  return Object.fromEntries(
    sides.flatMap(({ who, token, queries }) =>
      Object.entries(queries)
        .map(([name, query]): [string, Asked] => [`${who}${name}`, { token, query }])
        .filter(([name]) => only.test(name)),
    ),
  );
}
