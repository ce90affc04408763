import {
  type CreateTakeoverBody,
  type StartTakeoverBody,
  type Takeover,
  type TakeoverDevice,
  takeovers,
} from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient } from '../platform/query.ts';
import { ADS, applied, DEVICES, HOME, invalidate, RELEASES, TAKEOVERS } from './keys.ts';

const calls = callsOf(takeovers);
/** Shown at once on the home page. */
const RUNNING_MAX = 5;

export const takeoverQuery = (id: string) =>
  queryOptions({ queryKey: [...TAKEOVERS, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

/** The takeover as the server has it now. */
export const loadTakeover = (id: string) =>
  applied(calls.get({ params: { id } }), (takeover) => queryClient.setQueryData(takeoverQuery(id).queryKey, takeover));

/** The newest takeovers in scope that run now, and how many there are. */
export const runningTakeoversQuery = queryOptions({
  queryKey: [...TAKEOVERS, 'running'],
  queryFn: () => unwrap(calls.list({ query: { state: 'running', limit: RUNNING_MAX, total: 'true' } })),
});

export const takeoverDevicesQuery = (id: string, showing: boolean | undefined) =>
  pageQuery<TakeoverDevice>([...TAKEOVERS, 'devices', id, showing], (page) =>
    calls.listDevices({
      params: { id },
      query: { ...page, ...(showing !== undefined && { showing: showing ? 'true' : 'false' }) },
    }),
  );

/** After the server reported a change of a release or a device: what is shown of takeovers is fetched again. */
export const refreshTakeovers = (): Promise<unknown> => invalidate(TAKEOVERS);

const changed = async (takeover: Takeover): Promise<void> => {
  queryClient.setQueryData(takeoverQuery(takeover.id).queryKey, takeover);
  await invalidate(TAKEOVERS, ADS, RELEASES, DEVICES, HOME);
};

/** Refused when the ad is another than the one shown, which is fetched again then. */
export const createTakeover = (body: CreateTakeoverBody) =>
  applied(calls.create({ body }), changed, () => invalidate(ADS));
/** Refused when it was started or ended meanwhile; it is shown then. */
export const startTakeover = (id: string, body: StartTakeoverBody) =>
  applied(calls.start({ params: { id }, body }), changed, refreshTakeovers);
export const endTakeover = (id: string) => applied(calls.end({ params: { id } }), changed);
