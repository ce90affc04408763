import { type BatchAction, type FailedDevice } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { contractMessages } from '../../platform/i18n.ts';

const ACTION_TEXT = {
  reassign: 'changeOwner',
  expire: 'setExpiry',
  extend: 'extendExpiry',
  timeZone: 'changeTimeZone',
  rename: 'renameMany',
  tag: 'changeTags',
  hours: 'workingHours',
  levels: 'levels',
  restart: 'restart',
  clear: 'clearFiles',
  delete: 'deleteDevices',
  undo: 'undone',
} as const satisfies Record<BatchAction, string>;

/** '12,000 devices'. */
export const devicesText = (count: number): string => i18next.getFixedT(null, 'devices')('toAll', { count });

/** 'Restart · 12,000 devices': what is done, and to how many. */
export const batchTitle = (action: BatchAction, count: number): string =>
  `${i18next.getFixedT(null, 'devices')(ACTION_TEXT[action])} · ${devicesText(count)}`;

const isError = (name: string): name is keyof ReturnType<typeof contractMessages>['errors'] =>
  Object.hasOwn(contractMessages().errors, name);

/** Why a device stayed as it was, in a person's words. */
export function failureReason({ error, details }: FailedDevice): string {
  if (error === 'NOT_FOUND') return i18next.getFixedT(null, 'devices')('failedNotFound');
  return fillMessage(contractMessages().errors[isError(error) ? error : 'INVALID'], details);
}
