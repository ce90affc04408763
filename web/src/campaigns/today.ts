import { localTime } from '@ams/contract';

/** The day where the person is, `YYYY-MM-DD`. */
export const today = (): string => localTime(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone).date;
