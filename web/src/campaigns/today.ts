import { localTime } from '@ams/contract';
import { browserZone } from '../platform/intl.ts';

/** The day where the person is, `YYYY-MM-DD`. */
export const today = (): string => localTime(Date.now(), browserZone()).date;
