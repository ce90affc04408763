import { z } from 'zod';
import { givenName } from './kernel/name.ts';
import { PageQuery, pageOf } from './kernel/page.ts';
import { IdParams, Nothing, routeTable } from './kernel/route.ts';
import { GroupFilter, ShownFilter } from './rules/filter.ts';
import { UserRef } from './users.ts';
import { Orientation } from './vocabulary.ts';

export const GROUP_NAME_MAX = 60;
export const GroupName = givenName({ max: GROUP_NAME_MAX, required: 'name.required', tooLong: 'name.length' });

/** A named filter. The devices that match it in its owner's scope are in it. */
export const Group = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null for users below the owner, who see a bookable group without its devices. */
  filter: ShownFilter.nullable(),
  /** Users below the owner see it and may request campaigns on it. */
  bookable: z.boolean(),
  owner: UserRef,
  /** Number of devices that match now. */
  devices: z.number().int(),
  /** The orientation that the filter asks for. */
  orientation: Orientation.nullable(),
  /** Areas of the devices, the most frequent first. */
  areas: z.array(z.string()),
  createdAt: z.iso.datetime(),
});
export type Group = z.output<typeof Group>;

export const CreateGroupBody = z.object({
  name: GroupName,
  filter: GroupFilter,
  bookable: z.boolean().default(false),
});
export type CreateGroupBody = z.input<typeof CreateGroupBody>;

export const UpdateGroupBody = z.object({
  name: GroupName.optional(),
  filter: GroupFilter.optional(),
  bookable: z.boolean().optional(),
  /** The filter that was read: if the group has neither this nor the new one by now, it stays as it is. */
  seen: ShownFilter.optional(),
});
export type UpdateGroupBody = z.input<typeof UpdateGroupBody>;

/** Groups of devices: filters with a name. */
export const groups = routeTable({
  list: {
    method: 'GET',
    url: '/api/groups',
    access: 'user',
    summary: 'Groups in scope and bookable groups of superiors, newest first',
    query: PageQuery.extend({ q: z.string().trim().max(100).optional() }),
    response: pageOf(Group),
  },
  create: {
    method: 'POST',
    url: '/api/groups',
    access: 'user',
    summary: 'Create a group: the devices in the scope of its owner that match the filter, now and later',
    body: CreateGroupBody,
    response: Group,
  },
  get: {
    method: 'GET',
    url: '/api/groups/:id',
    access: 'user',
    summary: 'One group',
    params: IdParams,
    response: Group,
  },
  update: {
    method: 'PATCH',
    url: '/api/groups/:id',
    access: 'user',
    summary:
      'Change the name or the filter of a group, or whether it is bookable; standing releases go to the devices that match now',
    errors: ['STANDING_FILTER', 'CHANGED_MEANWHILE'],
    params: IdParams,
    body: UpdateGroupBody,
    response: Group,
  },
  delete: {
    method: 'DELETE',
    url: '/api/groups/:id',
    access: 'user',
    summary: 'Delete a group that no standing release uses; its devices stay as they are',
    errors: ['GROUP_IN_USE'],
    params: IdParams,
    response: Nothing,
  },
});
