import { type BatchAction, type FailedDevice } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { contractMessages } from '../../platform/i18n.ts';

const ACTION_TEXT = {
  reassign: 'changeOwner',
  expire: 'setExpiry',
  restart: 'restart',
  clear: 'clearFiles',
  delete: 'deleteDevices',
} as const satisfies Record<BatchAction, string>;

/** 'Restart · 12 devices': what is done, and to how many. */
export function batchTitle(action: BatchAction, count: number): string {
  const t = i18next.getFixedT(null, 'devices');
  return `${t(ACTION_TEXT[action])} · ${t('toAll', { count })}`;
}

const isError = (name: string): name is keyof ReturnType<typeof contractMessages>['errors'] =>
  Object.hasOwn(contractMessages().errors, name);

/** Why a machine stayed as it was, in a person's words. */
export function failureReason({ error, details }: FailedDevice): string {
  if (error === 'NOT_FOUND') return i18next.getFixedT(null, 'devices')('failedNotFound');
  return fillMessage(contractMessages().errors[isError(error) ? error : 'INVALID'], details);
}
