import { LEVEL_KEYS, type Levels } from '@ams/contract';
import type { Settings } from './devices.tables.ts';

/** The levels that an order names; null leaves one as the device has it. */
export const levelsIn = (order: Levels): Partial<Pick<Settings, (typeof LEVEL_KEYS)[number]>> =>
  Object.fromEntries(LEVEL_KEYS.flatMap((key) => (order[key] === undefined ? [] : [[key, order[key]]])));
