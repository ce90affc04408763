import type { KindNumber, Orientation } from '@ams/contract';
import type { Art } from './art.ts';
import type { CustomerName } from './cast.ts';

/** A file of the demo: its text, owner, and kind (`FILE_KINDS`). */
export interface Sample extends Art {
  name: string;
  owner: CustomerName;
  orientation: Orientation;
  kind: KindNumber;
}

const SUNSET = ['#ff7a45', '#e5326e', '#5b1a8b'] as const;
const OCEAN = ['#1fb6c9', '#2466d1', '#1b1f6b'] as const;
const FOREST = ['#8fd14f', '#12946a', '#0b3d4c'] as const;
const COFFEE = ['#f2a65a', '#a8502c', '#2d1712'] as const;
const DUSK = ['#7a5cff', '#4326a8', '#120b3a'] as const;

const MALL = { brand: 'Harbour Mall', owner: 'harbourmall' } as const;
const CAFE = { brand: 'Lumen Café', owner: 'lumencafe' } as const;
const UPRIGHT_FILM = { orientation: 'vertical', kind: 2, width: 720, height: 1280 } as const;
const UPRIGHT_PICTURE = { orientation: 'vertical', kind: 1, width: 1080, height: 1920 } as const;
const TOP = { orientation: 'vertical', kind: 3, width: 1080, height: 480 } as const;
const BOTTOM = { orientation: 'vertical', kind: 4, width: 1080, height: 480 } as const;
const LOWER_THIRD = { orientation: 'vertical', kind: 5, width: 1080, height: 640 } as const;
const WIDE_FILM = { orientation: 'horizontal', kind: 2, width: 1280, height: 720 } as const;
const WIDE_PICTURE = { orientation: 'horizontal', kind: 1, width: 1920, height: 1080 } as const;
const LEFT = { orientation: 'horizontal', kind: 3, width: 480, height: 1080 } as const;
const RIGHT = { orientation: 'horizontal', kind: 4, width: 480, height: 1080 } as const;

export const SAMPLES = {
  sale: {
    ...{ ...MALL, ...UPRIGHT_FILM, ground: SUNSET, name: 'Autumn sale.mp4' },
    ...{ words: ['Autumn', 'sale', '−50 %'], small: 'All 84 shops, until Sunday' },
  },
  welcome: {
    ...{ ...MALL, ...TOP, ground: OCEAN, name: 'Welcome.jpg' },
    ...{ words: ['Welcome'], small: 'Open today from 10 to 21' },
  },
  parking: {
    ...{ ...MALL, ...BOTTOM, ground: DUSK, name: 'Free parking.jpg' },
    ...{ words: ['Park free'], small: 'The first three hours are on us' },
  },
  thursday: {
    ...{ ...MALL, ...UPRIGHT_PICTURE, ground: DUSK, name: 'Late night Thursday.jpg' },
    ...{ words: ['Late', 'night', 'Thursday'], small: 'Music on the quay, shops until 23' },
  },
  carPark: {
    ...{ ...MALL, ...UPRIGHT_PICTURE, ground: ['#ff5f56', '#c2182b', '#4a0714'], name: 'Car park notice.jpg' },
    ...{ words: ['Level 2', 'closed', 'today'], small: 'Please use levels 1 and 3' },
  },
  cinema: {
    ...{ ...MALL, ...WIDE_FILM, ground: OCEAN, name: 'Cinema.mp4' },
    ...{ words: ['Now on', 'level 3'], small: 'Eight screens and one very large popcorn' },
  },
  popcorn: {
    ...{ ...MALL, ...LEFT, ground: SUNSET, name: 'Popcorn.jpg' },
    ...{ words: ['Large', 'for', 'small'], small: 'Popcorn before 6' },
  },
  tickets: {
    ...{ ...MALL, ...RIGHT, ground: DUSK, name: 'Tickets.jpg' },
    ...{ words: ['Two', 'for', 'one'], small: 'Every Tuesday' },
  },
  coffee: {
    ...{ ...CAFE, ...UPRIGHT_FILM, ground: COFFEE, name: 'Flat white.mp4' },
    ...{ words: ['Flat', 'white'], small: 'Roasted on Marlow Street' },
  },
  cake: {
    ...{ ...CAFE, ...LOWER_THIRD, ground: FOREST, name: 'Cake after four.jpg' },
    ...{ words: ['Cake at four'], small: 'A slice with any coffee, 2.50' },
  },
  happyHour: {
    ...{ ...CAFE, ...UPRIGHT_PICTURE, ground: FOREST, name: 'Happy hour.jpg' },
    ...{ words: ['Happy', 'hour'], small: 'Weekdays from 16 to 18' },
  },
  terrace: {
    ...{ ...CAFE, ...WIDE_PICTURE, ground: FOREST, name: 'Terrace.jpg' },
    ...{ words: ['The terrace', 'is open'], small: 'Blankets included' },
  },
} as const satisfies Record<string, Sample>;

export type SampleName = keyof typeof SAMPLES;
