import { type BatchOrder, DeviceName, NAME_NUMBER, type UserRef } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { confirm } from '../../ui/feedback/confirm.ts';
import { useFormat } from '../../ui/format/format.ts';
import {
  CalendarIcon,
  DownIcon,
  GlobeIcon,
  PencilIcon,
  ReloadIcon,
  TagIcon,
  TrashIcon,
  UsersIcon,
} from '../../ui/layout/icons.ts';
import { MenuSheet } from '../../ui/layout/Menu.tsx';
import { SelectionBar } from '../../ui/list/select/SelectionBar.tsx';
import { pickableUsersQuery } from '../../queries/users.ts';
import { UserPicker } from '../../ui/form/UserPicker.tsx';
import { ExpirySheet } from '../ExpirySheet.tsx';
import { BatchTagsSheet } from '../TagsSheet.tsx';
import { TimeZoneSheet } from '../TimeZoneSheet.tsx';
import type { Target } from '../../queries/devices.ts';
import { exportAsSheet } from '../sheets/transfer.ts';
import type { StartBatch } from './useBatch.ts';
import { batchTitle, devicesText } from './words.ts';

interface BatchBarProps {
  /** The devices that a batch is for. */
  target: Target;
  count: number;
  /** How many the filter shows; undefined while that is asked. */
  total: number | undefined;
  /** One batch runs already. */
  busy: boolean;
  onAll: () => void;
  onEnd: () => void;
  onStart: StartBatch;
  /** Begins with the sheet that extends. */
  extend?: boolean;
}

type Sheet = 'menu' | 'owner' | 'expiry' | 'timeZone' | 'tags';

/** Actions on the selected devices: the batch menu. */
export function BatchBar({ target, count, total, busy, onAll, onEnd, onStart, extend = false }: BatchBarProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const { leading } = useSession();
  const [sheet, setSheet] = useState<Sheet | undefined>(extend ? 'expiry' : undefined);
  const close = () => setSheet(undefined);
  const ask = async (order: Order, body: string, danger = false) => {
    let show: Awaited<ReturnType<StartBatch>>;
    const run = async () => (show = await onStart({ ...target, ...order })) !== undefined;
    if (!(await confirm({ title: batchTitle(order.action, count), body, danger, run }))) return;
    onEnd();
    show?.();
  };
  /** For sheets that close by themselves when it went well. */
  const start = async (order: BatchOrder): Promise<boolean> => {
    const show = await onStart({ ...target, ...order });
    if (!show) return false;
    onEnd();
    show();
    return true;
  };
  const rename = () =>
    confirm({
      title: batchTitle('rename', count),
      body: t('renameManyHint', { n: NAME_NUMBER }),
      action: common('save'),
      input: { label: t('name'), schema: DeviceName, initial: '' },
      run: (name) => start({ action: 'rename', name }),
    });
  const forLeading = [
    { text: t('changeOwner'), icon: <UsersIcon />, onPick: () => setSheet('owner') },
    { text: t('setExpiry'), icon: <CalendarIcon />, onPick: () => setSheet('expiry') },
    { text: t('changeTimeZone'), icon: <GlobeIcon />, onPick: () => setSheet('timeZone') },
  ];
  const exporting = {
    text: t('export'),
    hint: t('filter' in target ? 'exportHintFiltered' : 'exportHintChosen'),
    icon: <DownIcon />,
    run: () => exportAsSheet(target),
  };
  const items = [
    ...(leading ? forLeading : []),
    { text: t('renameMany'), icon: <PencilIcon />, onPick: () => void rename() },
    { text: t('changeTags'), icon: <TagIcon />, onPick: () => setSheet('tags') },
    { text: t('restart'), icon: <ReloadIcon />, onPick: () => void ask({ action: 'restart' }, t('restartBody')) },
    {
      text: t('clearFiles'),
      icon: <TrashIcon />,
      onPick: () => void ask({ action: 'clear' }, t('clearBody'), true),
    },
    exporting,
  ];
  const deletion = {
    text: t('deleteDevices'),
    icon: <TrashIcon />,
    danger: true,
    onPick: () => void ask({ action: 'delete' }, t('deleteManyBody'), true),
  };
  return (
    <>
      <SelectionBar
        count={count}
        total={total ?? count}
        allText={total === undefined ? undefined : t('selectAllOf', { total: number(total) })}
        onAll={onAll}
        onEnd={onEnd}
      >
        <Button look="primary" small disabled={count === 0 || busy} onClick={() => setSheet('menu')}>
          {t('actions')}
        </Button>
      </SelectionBar>
      {sheet === 'menu' && (
        <MenuSheet title={devicesText(count)} items={leading ? [...items, deletion] : items} onClose={close} />
      )}
      {sheet === 'owner' && (
        <UserPicker
          query={pickableUsersQuery}
          title={t('chooseOwner')}
          onClose={close}
          onPick={(user) => {
            close();
            void ask({ action: 'reassign', ownerId: user.id }, t('reassignBody', { username: user.username }));
          }}
        />
      )}
      {sheet === 'expiry' && (
        <ExpirySheet title={batchTitle('expire', count)} target={target} date={null} onClose={close} onSave={start} />
      )}
      {sheet === 'tags' && (
        <BatchTagsSheet title={batchTitle('tag', count)} target={target} onClose={close} onSave={start} />
      )}
      {sheet === 'timeZone' && (
        <TimeZoneSheet
          title={batchTitle('timeZone', count)}
          present={undefined}
          onClose={close}
          onPick={(timeZone) => start({ action: 'timeZone', timeZone })}
        />
      )}
    </>
  );
}

type Order = { action: 'reassign'; ownerId: UserRef['id'] } | { action: 'clear' | 'restart' | 'delete' };
