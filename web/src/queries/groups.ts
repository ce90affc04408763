import { type CreateGroupBody, type Group, groups, type UpdateGroupBody } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery } from '../platform/query.ts';
import { applied, GROUPS, invalidate } from './keys.ts';

const calls = callsOf(groups);

export const groupsQuery = (filter: { q?: string | undefined }) =>
  pageQuery<Group>([...GROUPS, 'list', filter], (page) => calls.list({ query: { ...filter, ...page } }));

/** Groups in scope by a part of their name, to choose one: those of superiors are for campaigns only. */
export const pickableGroupsQuery = (q: string) =>
  pageQuery<Group>([...GROUPS, 'pick', q], (page) => calls.list({ query: { ...page, ...(q && { q }) } }).then(inScope));

const inScope = (answer: Awaited<ReturnType<typeof calls.list>>) =>
  answer.error === undefined
    ? { ...answer, data: { ...answer.data, items: answer.data.items.filter(({ filter }) => filter !== null) } }
    : answer;

export const groupQuery = (id: string) =>
  queryOptions({ queryKey: [...GROUPS, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

const changed = (): Promise<unknown> => invalidate(GROUPS);

export const createGroup = (body: CreateGroupBody) => applied(calls.create({ body }), changed);
export const updateGroup = (id: string, body: UpdateGroupBody) =>
  applied(calls.update({ params: { id }, body }), changed);
export const deleteGroup = (id: string) => applied(calls.delete({ params: { id } }), changed);
