import { session } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';

export const calls = callsOf(session);

/** Limits and switches of the installation; they change only with a new start of the server. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => unwrap(calls.settings()),
  staleTime: Infinity,
});

/** A verification code. One try each, so it is fetched anew for every form and after every failure. */
export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: () => unwrap(calls.captcha()),
  staleTime: Infinity,
  gcTime: 0,
});

export const checkCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['checkregistercode', code],
    queryFn: () => unwrap(calls.checkRegisterCode({ body: { code } })),
    staleTime: 60_000,
  });
