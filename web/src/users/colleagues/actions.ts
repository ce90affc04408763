import { type Colleague, type ColleagueInvitation, ColleagueName, type UpdateColleagueBody } from '@ams/contract';
import i18next from 'i18next';
import { deleteColleague, revokeColleague, updateColleague } from '../../queries/colleagues.ts';
import { confirm } from '../../ui/feedback/confirm.ts';
import { succeeded } from '../../ui/feedback/outcome.ts';

export const change = async ({ id }: Pick<Colleague, 'id'>, body: UpdateColleagueBody): Promise<boolean> =>
  succeeded(await updateColleague(id, body), i18next.t('common:saved'));

export const askToRename = (colleague: Colleague): Promise<boolean> =>
  confirm({
    title: i18next.t('rename', { ns: 'colleagues' }),
    action: i18next.t('common:save'),
    input: {
      about: colleague.id,
      label: i18next.t('name', { ns: 'colleagues' }),
      schema: ColleagueName,
      initial: colleague.name,
    },
    run: (name) => change(colleague, { name }),
  });

export const askToDisable = (colleague: Colleague): Promise<boolean> =>
  confirm({
    title: i18next.t('disableTitle', { ns: 'colleagues', name: colleague.name }),
    body: i18next.t('disableBody', { ns: 'colleagues' }),
    action: i18next.t('users:disable'),
    danger: true,
    run: () => change(colleague, { disabled: true }),
  });

export const askToDelete = ({ id, name }: Colleague): Promise<boolean> =>
  confirm({
    title: i18next.t('deleteTitle', { ns: 'colleagues', name }),
    body: i18next.t('deleteBody', { ns: 'colleagues' }),
    action: i18next.t('common:delete'),
    danger: true,
    run: async () => succeeded(await deleteColleague(id), i18next.t('common:deleted')),
  });

export const askToRevoke = ({ code, name }: ColleagueInvitation): Promise<boolean> =>
  confirm({
    title: i18next.t('revokeTitle', { ns: 'colleagues', name }),
    body: i18next.t('revokeBody', { ns: 'colleagues' }),
    action: i18next.t('users:revoke'),
    danger: true,
    run: async () => succeeded(await revokeColleague(code), i18next.t('users:revoked')),
  });
