import { type Alerts, alerts, type UpdateAlertsBody } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callsOf, unwrap } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { ALERTS, applied } from './keys.ts';

const calls = callsOf(alerts);

/** Their form begins with what holds now. */
export const alertsQuery = queryOptions({ queryKey: ALERTS, queryFn: () => unwrap(calls.get()), staleTime: 0 });

const keep = (saved: Alerts) => queryClient.setQueryData(alertsQuery.queryKey, saved);

export const saveAlerts = (body: z.input<typeof UpdateAlertsBody>) => applied(calls.update({ body }), keep);
export const confirmEmail = (code: string) => applied(calls.confirm({ body: { code } }), keep);
export const resendEmailCode = () => applied(calls.resendCode(), keep);
export const testAlerts = () => applied(calls.test(), keep);
