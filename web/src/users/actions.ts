import { type UpdateUserBody, Phone, Remark, type User } from '@ams/contract';
import i18next from 'i18next';
import { z } from 'zod';
import { succeeded } from '../ui/feedback/outcome.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { formatBytes } from '../ui/format/format.ts';
import { deleteUser, resetSecondFactor, updatePhone, updateUser } from '../queries/users.ts';

/** Left empty, the number is taken away. */
const OptionalPhone = z.literal('').or(Phone);

/** Changes a user; true when it went well, so that a dialog may close. */
const change = async (user: User, body: UpdateUserBody, done: string): Promise<boolean> =>
  succeeded(await updateUser(user.id, body), done);

/** Forbidding asks for a remark, enabling for a confirmation. */
export function toggleUser(user: User): Promise<boolean> {
  const t = i18next.getFixedT(null, 'users');
  const { username } = user;
  if (user.disabled) {
    return confirm({
      title: t('enableTitle', { username }),
      body: t('enableBody'),
      action: t('enable'),
      run: () => change(user, { disabled: false }, t('userEnabled')),
    });
  }
  return confirm({
    title: t('disableTitle', { username }),
    body: t('disableBody'),
    action: t('disable'),
    danger: true,
    input: { about: user.id, label: t('remarkLabel'), schema: Remark, multiline: true },
    run: (remark) => change(user, { disabled: true, remark }, t('userDisabled')),
  });
}

export function askToDelete(user: User): Promise<boolean> {
  const t = i18next.getFixedT(null, 'users');
  return confirm({
    title: t('deleteTitle', { username: user.username }),
    body: t('deleteBody'),
    action: t('deleteUser'),
    danger: true,
    run: async () => succeeded(await deleteUser(user.id), t('userDeleted')),
  });
}

export function changePhone(user: User): Promise<boolean> {
  const t = i18next.getFixedT(null, 'users');
  return confirm({
    title: t('editPhone'),
    action: i18next.t('save'),
    input: { about: user.id, label: t('phone'), schema: OptionalPhone, initial: user.phone ?? '' },
    run: async (phone) => succeeded(await updatePhone(user.id, phone || null), i18next.t('saved')),
  });
}

const GIGABYTE = 2 ** 30;
/** Releases of a customer wait for approval from now on, or no longer. */
export const demandApproval = (user: User): Promise<boolean> =>
  change(user, { releasesNeedApproval: !user.releasesNeedApproval }, i18next.t('saved'));

/** Gigabytes as a person types them, or nothing. */
const Gigabytes = z
  .string()
  .trim()
  .regex(/^(\d{1,6}([.,]\d{1,3})?)?$/, 'quota.size');

/** Sets the storage quota; left empty, the default holds. */
export function changeQuota(user: User, byDefault: number): Promise<boolean> {
  const t = i18next.getFixedT(null, 'users');
  const size = byDefault === 0 ? i18next.t('storageUnlimited') : formatBytes(i18next.language, byDefault);
  return confirm({
    title: t('setQuota'),
    body: t('quotaHint', { size }),
    action: i18next.t('save'),
    input: {
      about: user.id,
      label: t('quota'),
      schema: Gigabytes,
      initial: user.quotaBytes === null ? '' : String(Math.round((user.quotaBytes / GIGABYTE) * 1000) / 1000),
    },
    run: (text) => {
      const typed = text.trim().replace(',', '.');
      const quotaBytes = typed === '' ? null : Math.round(Number(typed) * GIGABYTE);
      return change(user, { quotaBytes }, i18next.t('saved'));
    },
  });
}

export function changeRole(user: User): Promise<boolean> {
  const t = i18next.getFixedT(null, 'users');
  const role = user.role === 'leading' ? 'member' : 'leading';
  return confirm({
    title: t('roleTitle', { username: user.username }),
    body: t(role === 'leading' ? 'leadingHint' : 'memberHint'),
    action: t(role === 'leading' ? 'makeLeading' : 'makeMember'),
    run: () => change(user, { role }, i18next.t('saved')),
  });
}

export function askToResetSecondFactor(user: User): Promise<boolean> {
  const t = i18next.getFixedT(null, 'users');
  return confirm({
    title: t('resetSecondFactorTitle', { username: user.username }),
    body: t('resetSecondFactorBody'),
    action: t('resetSecondFactor'),
    danger: true,
    run: async () => succeeded(await resetSecondFactor(user.id), i18next.t('saved')),
  });
}
