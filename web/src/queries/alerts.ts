import { alerts } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';

export const calls = callsOf(alerts);

export const ALERTS = ['alerts'] as const;

export const alertsQuery = queryOptions({ queryKey: ALERTS, queryFn: () => unwrap(calls.get()) });
