import { type CreateShareBody, type Share, shares } from '@ams/contract';
import { callsOf } from '../platform/api.ts';
import { pageQuery } from '../platform/query.ts';
import { applied, invalidate, SHARES } from './keys.ts';

const calls = callsOf(shares);

/** Links that people in scope made, newest first. */
export const sharesQuery = () => pageQuery<Share>([...SHARES, 'list'], (page) => calls.list({ query: page }));

const changed = (): Promise<unknown> => invalidate(SHARES);

/** Makes a link; its address is answered this once. */
export const createShare = (body: CreateShareBody) => applied(calls.create({ body }), changed);

export const revokeShare = (id: string) => applied(calls.revoke({ params: { id } }), changed);
