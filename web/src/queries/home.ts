import { devices, home } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { DEVICES, HOME } from './keys.ts';

const calls = callsOf(home);
const quietDevices = callsOf(devices, { quiet: true });

/** Everything on the home page in one call. */
export const homeQuery = queryOptions({ queryKey: HOME, queryFn: () => unwrap(calls.summary()) });

const WAITING_POLL_MS = 10_000;

/** Devices of this network that wait to be paired. */
export const waitingDevicesQuery = queryOptions({
  queryKey: [...DEVICES, 'waiting'],
  queryFn: async () => (await unwrap(quietDevices.waiting())).items,
  refetchInterval: WAITING_POLL_MS,
});
