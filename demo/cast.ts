/** Everybody's password in the demo. */
export const PASSWORD = 'showroom';

export const ADMIN = 'admin';
export const DEALER = { username: 'northlight', phone: '+44 20 7946 0110' } as const;
/** Numbers that no telephone company gives to anybody (Ofcom's for drama). */
export const CUSTOMERS = [
  { username: 'harbourmall', phone: '+44 20 7946 0317' },
  { username: 'lumencafe', phone: '+44 20 7946 0842' },
] as const;

/** Acts for the first customer and may change nothing. */
export const COLLEAGUE = { username: 'annaberg', name: 'Anna Berg' } as const;

export type CustomerName = (typeof CUSTOMERS)[number]['username'];
export type OwnerName = CustomerName | typeof DEALER.username;

/**
 * The state that a device of the demo shows. `away`: it played until some hours ago. `known`: added by its MAC and never seen.
 * `new`: switched on and not paired yet.
 */
export type Part =
  | 'plays'
  | 'flaps'
  | 'slow'
  | 'diskFull'
  | 'corrupt'
  | 'expired'
  | 'expiring'
  | 'away'
  | 'known'
  | 'new';

export interface Place {
  /** Number of the device within the fleet, from 1. */
  number: number;
  name: string;
  owner: OwnerName;
  screen: { width: number; height: number };
  part: Part;
}

const UPRIGHT = { width: 1080, height: 1920 };
const WIDE = { width: 1920, height: 1080 };

type Row = readonly [name: string, shape: typeof UPRIGHT, part?: Part];

const MALL: readonly Row[] = [
  ['North entrance', UPRIGHT],
  ['South entrance', UPRIGHT],
  ['Quayside doors', UPRIGHT],
  ['Lift lobby, level 1', UPRIGHT],
  ['Lift lobby, level 2', UPRIGHT, 'flaps'],
  ['Lift lobby, level 3', UPRIGHT],
  ['Food hall, left of the stairs', UPRIGHT],
  ['Food hall, right of the stairs', UPRIGHT, 'slow'],
  ['Car park pay station A', UPRIGHT],
  ['Car park pay station B', UPRIGHT, 'diskFull'],
  ['Cinema foyer', WIDE],
  ['Cinema box office', WIDE],
  ['Atrium banner', WIDE],
  ['Escalator, level 2', WIDE, 'corrupt'],
  ['Ferry terminal bridge', WIDE, 'away'],
  ['Information desk', WIDE, 'expiring'],
  ['Toy shop window', UPRIGHT, 'expired'],
  ['Taxi rank', UPRIGHT, 'away'],
];

const CAFES: readonly Row[] = [
  ['Marlow Street, window', UPRIGHT],
  ['Marlow Street, counter', WIDE],
  ['Station Arcade, window', UPRIGHT],
  ['Station Arcade, counter', WIDE],
  ['Old Brewery Yard, window', UPRIGHT],
  ['Old Brewery Yard, counter', WIDE, 'slow'],
  ['Linden Square, window', UPRIGHT],
  ['Linden Square, terrace', WIDE, 'expiring'],
  ['University Library, counter', UPRIGHT],
  ['Botanic Garden kiosk', UPRIGHT, 'flaps'],
  ['Riverside Park kiosk', UPRIGHT, 'away'],
  ['Museum Lane, window', UPRIGHT, 'expiring'],
  ['Museum Lane, counter', WIDE],
  ['Tram depot, window', UPRIGHT, 'expired'],
  ['Airport, gate B12', WIDE, 'known'],
];

const SHOWROOM: readonly Row[] = [
  ['Showroom, left', UPRIGHT],
  ['Showroom, right', WIDE],
  ['Workshop test bench', UPRIGHT, 'away'],
  ['Spare device, shelf 4', UPRIGHT, 'known'],
  ['', UPRIGHT, 'new'],
  ['', UPRIGHT, 'new'],
  ['Trade fair stand', UPRIGHT],
];

const rows: (readonly [OwnerName, Row])[] = [
  ...MALL.map((row) => ['harbourmall', row] as const),
  ...CAFES.map((row) => ['lumencafe', row] as const),
  ...SHOWROOM.map((row) => [DEALER.username, row] as const),
];

/** The forty devices. */
export const PLACES: readonly Place[] = rows.map(([owner, [name, screen, part = 'plays']], index) => ({
  number: index + 1,
  name,
  owner,
  screen,
  part,
}));

export const isUpright = ({ screen }: Pick<Place, 'screen'>): boolean => screen.height > screen.width;
