import { type DeviceFilter, type Group, GroupName } from '@ams/contract';
import i18next from 'i18next';
import { createGroup, deleteGroup, updateGroup } from '../../queries/groups.ts';
import { confirm } from '../../ui/feedback/confirm.ts';
import { succeeded } from '../../ui/feedback/outcome.ts';

const words = () => i18next.getFixedT(null, 'devices');

/** Asks for a name and saves the filter under it. */
export function askToSave({ group: _group, ...filter }: DeviceFilter): Promise<boolean> {
  const t = words();
  return confirm({
    title: t('saveGroup'),
    body: t('groupHint'),
    action: i18next.t('save'),
    input: { about: JSON.stringify(filter), label: t('groupName'), schema: GroupName, initial: '' },
    run: async (name) => succeeded(await createGroup({ name, filter }), t('groupSaved')),
  });
}

export function askToRenameGroup({ id, name: before }: Group): Promise<boolean> {
  const t = words();
  return confirm({
    title: t('rename'),
    action: i18next.t('save'),
    input: { about: id, label: t('groupName'), schema: GroupName, initial: before },
    run: async (name) => succeeded(await updateGroup(id, { name }), i18next.t('saved')),
  });
}

export function askToDeleteGroup({ id, name }: Group): Promise<boolean> {
  const t = words();
  return confirm({
    title: t('deleteGroupTitle', { name }),
    body: t('deleteGroupBody'),
    action: t('deleteGroup'),
    danger: true,
    run: async () => succeeded(await deleteGroup(id), t('groupDeleted')),
  });
}
