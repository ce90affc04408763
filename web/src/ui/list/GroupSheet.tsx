import type { Group } from '@ams/contract';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { GroupIcon } from '../layout/icons.ts';
import menu from '../layout/Menu.module.css';
import { PickSheet } from './PickSheet.tsx';

interface GroupSheetProps extends Pick<ComponentProps<typeof PickSheet<Group>>, 'query' | 'onClose'> {
  onPick: (group: Group) => void;
}

/** A sheet with groups of devices, for choosing one. */
export function GroupSheet({ onPick, ...props }: GroupSheetProps) {
  const { t } = useTranslation('devices');
  return (
    <PickSheet<Group>
      title={t('chooseGroup')}
      placeholder={t('groupName')}
      label={t('groups')}
      empty={{ title: t('noGroups'), hint: t('noGroupsHint') }}
      render={(group) => (
        <button type="button" className={menu.item} onClick={() => onPick(group)}>
          <GroupIcon />
          <span>
            <bdi>{group.name}</bdi>
            <small>{group.owner.username}</small>
          </span>
        </button>
      )}
      {...props}
    />
  );
}
