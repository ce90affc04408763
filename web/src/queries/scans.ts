import { scans } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { CAMPAIGNS, RELEASES } from './keys.ts';

const calls = callsOf(scans);

export const releaseScansQuery = (id: string) =>
  queryOptions({
    queryKey: [...RELEASES, 'scans', id],
    queryFn: () => unwrap(calls.ofRelease({ params: { id } })),
  });

export const campaignScansQuery = (id: string) =>
  queryOptions({
    queryKey: [...CAMPAIGNS, 'scans', id],
    queryFn: () => unwrap(calls.ofCampaign({ params: { id } })),
  });
