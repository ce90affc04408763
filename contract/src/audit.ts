import type { BatchAction } from './batches.ts';

/**
 * The actions that the audit log records, as `<feature>.<action>`. The names are stored. The web app does not compile
 * while an action has no sentence.
 */
export type AuditAction =
  | 'ads.change'
  | 'ads.create'
  | 'ads.delete'
  | 'ads.release'
  | 'ads.updateDevices'
  | 'alerts.change'
  | 'apps.patch'
  | 'apps.remove'
  | 'apps.upload'
  | `devices.batch.${BatchAction}`
  | 'devices.change'
  | 'devices.clear'
  | 'devices.create'
  | 'devices.delete'
  | 'devices.import'
  | 'devices.pair'
  | 'files.change'
  | 'files.remove'
  | 'files.rename'
  | 'files.upload'
  | 'groups.create'
  | 'groups.delete'
  | 'groups.update'
  | 'invitations.create'
  | 'invitations.revoke'
  | 'releases.goOn'
  | 'releases.pause'
  | 'releases.restore'
  | 'releases.retry'
  | 'releases.withdraw'
  | 'shares.create'
  | 'shares.revoke'
  | 'users.change'
  | 'users.create'
  | 'users.delete'
  | 'users.enable'
  | 'users.forbid'
  | 'users.password'
  | 'users.register'
  | 'users.resetSecondFactor'
  | 'users.secondFactorOff'
  | 'users.secondFactorOn';
