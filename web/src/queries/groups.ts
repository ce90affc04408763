import { type CreateGroupBody, type Group, groups, type UpdateGroupBody } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery } from '../platform/query.ts';
import { applied, GROUPS, invalidate } from './keys.ts';

const calls = callsOf(groups);
type GroupsQuery = z.input<typeof groups.list.query>;

export const groupsQuery = (filter: { q?: string | undefined }) =>
  pageQuery<Group>([...GROUPS, 'list', filter], (page) => calls.list({ query: { ...filter, ...page } }));

/** Groups in scope by a part of their name, to choose one: those of superiors are for campaigns only. */
export const pickableGroupsQuery = (q: string) =>
  pageQuery<Group>([...GROUPS, 'pick', q], (page) => pageInScope({ ...page, ...(q && { q }) }));

/** A page of groups in scope; an empty one is the last, because lists stop at it. */
async function pageInScope(query: GroupsQuery): ReturnType<typeof calls.list> {
  const answer = await calls.list({ query });
  if (answer.error !== undefined) return answer;
  const { items, next } = answer.data;
  const own = items.filter(({ filter }) => filter !== null);
  if (own.length === 0 && next !== null) return pageInScope({ ...query, cursor: next });
  return { ...answer, data: { ...answer.data, items: own } };
}

export const groupQuery = (id: string) =>
  queryOptions({ queryKey: [...GROUPS, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

export const readGroup = (id: string) => calls.get({ params: { id } });

const changed = (): Promise<unknown> => invalidate(GROUPS);

export const createGroup = (body: CreateGroupBody) => applied(calls.create({ body }), changed);
export const updateGroup = (id: string, body: UpdateGroupBody, reload?: () => Promise<void>) =>
  applied(calls.update({ params: { id }, body }), changed, reload);
export const deleteGroup = (id: string) => applied(calls.delete({ params: { id } }), changed);
