import type { BatchOrder, UserRef } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../platform/query.ts';
import { useSession } from '../../platform/session.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { confirm } from '../../ui/feedback/confirm.ts';
import { useFormat } from '../../ui/format/format.ts';
import {
  CalendarIcon,
  ClockIcon,
  DownIcon,
  GlobeIcon,
  LevelsIcon,
  PencilIcon,
  ReloadIcon,
  SendIcon,
  TagIcon,
  TakeoverIcon,
  TrashIcon,
  UsersIcon,
} from '../../ui/layout/icons.ts';
import { MenuSheet } from '../../ui/layout/Menu.tsx';
import { SelectionBar } from '../../ui/list/select/SelectionBar.tsx';
import { pickableUsersQuery } from '../../queries/users.ts';
import { UserPicker } from '../../ui/form/UserPicker.tsx';
import { ExpirySheet } from '../ExpirySheet.tsx';
import { BatchHoursSheet } from '../hours/BatchHoursSheet.tsx';
import { BatchLevelsSheet } from '../hours/BatchLevelsSheet.tsx';
import { NamesSheet } from '../NamesSheet.tsx';
import { ReleaseSheet } from '../ReleaseSheet.tsx';
import { BatchTagsSheet } from '../TagsSheet.tsx';
import { TimeZoneSheet } from '../TimeZoneSheet.tsx';
import type { Target } from '../../queries/devices.ts';
import type { ReleaseTo } from '../../queries/releaseTo.ts';
import { exportAsSheet } from '../sheets/export.ts';
import { ChangePreview } from './ChangePreview.tsx';
import type { Named } from './useChosenDevices.ts';
import type { StartBatch } from './useBatch.ts';
import { batchTitle, devicesText } from './words.ts';

interface BatchBarProps {
  /** The devices that a batch is for. */
  target: Target;
  /** What is known of the devices that were chosen one by one. */
  named: RefObject<ReadonlyMap<string, Named>>;
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

type Sheet = 'release' | 'takeover' | 'menu' | 'owner' | 'expiry' | 'timeZone' | 'names' | 'tags' | 'hours' | 'levels';

/** Actions on the selected devices: the batch menu. */
export function BatchBar({ target, named, count, total, busy, onAll, onEnd, onStart, extend = false }: BatchBarProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const { leading } = useSession();
  const [sheet, setSheet] = useState<Sheet | undefined>(extend ? 'expiry' : undefined);
  const [releaseTo, setReleaseTo] = useState<ReleaseTo>({ devices: [] });
  const [canRestart, setCanRestart] = useState(true);
  const close = () => setSheet(undefined);
  const openMenu = () => {
    setReleaseTo(releaseToThese(target, named.current));
    setCanRestart(isAnyPaired(target, named.current));
    setSheet('menu');
  };
  const begin = (order: BatchOrder) => onStart({ ...target, ...order, ...('filter' in target && { expected: count }) });
  const ask = async (order: Order, body = '', danger = false): Promise<boolean> => {
    let show: Awaited<ReturnType<StartBatch>>;
    // When the devices are others by now, the question closes: it names their former number.
    const run = async () => (show = await begin(order)) !== undefined;
    // The dialog of questions is above the shell, which has the queries.
    const details = isPreviewed(order) && (
      <QueryClientProvider client={queryClient}>
        <ChangePreview target={target} order={order} textOf={(value) => value ?? '–'} />
      </QueryClientProvider>
    );
    if (!(await confirm({ title: batchTitle(order.action, count), body, details, danger, run }))) return false;
    if (typeof show !== 'function') return false;
    onEnd();
    show();
    return true;
  };
  /** For sheets that close by themselves when it went well. */
  const start = async (order: BatchOrder): Promise<boolean> => {
    const show = await begin(order);
    if (typeof show !== 'function') return false;
    onEnd();
    show();
    return true;
  };
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
    { text: t('releaseAd'), icon: <SendIcon />, onPick: () => setSheet('release') },
    ...(leading
      ? [{ text: common('takeOverNow'), icon: <TakeoverIcon />, onPick: () => setSheet('takeover') }, ...forLeading]
      : []),
    { text: t('renameMany'), icon: <PencilIcon />, onPick: () => setSheet('names') },
    { text: t('changeTags'), icon: <TagIcon />, onPick: () => setSheet('tags') },
    { text: t('workingHours'), icon: <ClockIcon />, onPick: () => setSheet('hours') },
    { text: t('levels'), icon: <LevelsIcon />, onPick: () => setSheet('levels') },
    ...(canRestart
      ? [{ text: t('restart'), icon: <ReloadIcon />, onPick: () => void ask({ action: 'restart' }, t('restartBody')) }]
      : []),
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
        <Button changes look="primary" small disabled={count === 0 || busy} onClick={openMenu}>
          {t('actions')}
        </Button>
      </SelectionBar>
      {sheet === 'menu' && (
        <MenuSheet title={devicesText(count)} items={leading ? [...items, deletion] : items} onClose={close} />
      )}
      {(sheet === 'release' || sheet === 'takeover') && (
        <ReleaseSheet to={releaseTo} isTakeover={sheet === 'takeover'} onClose={close} />
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
      {sheet === 'names' && (
        <NamesSheet title={batchTitle('rename', count)} target={target} count={count} onClose={close} onSave={start} />
      )}
      {sheet === 'tags' && (
        <BatchTagsSheet title={batchTitle('tag', count)} target={target} onClose={close} onSave={start} />
      )}
      {sheet === 'hours' && (
        <BatchHoursSheet title={batchTitle('hours', count)} target={target} onClose={close} onSave={start} />
      )}
      {sheet === 'levels' && (
        <BatchLevelsSheet title={batchTitle('levels', count)} target={target} onClose={close} onSave={start} />
      )}
      {sheet === 'timeZone' && (
        <TimeZoneSheet
          title={batchTitle('timeZone', count)}
          present={undefined}
          onClose={close}
          onPick={(timeZone) => ask({ action: 'timeZone', timeZone })}
          onReported={() => ask({ action: 'timeZone', timeZone: null })}
        />
      )}
    </>
  );
}

type Order =
  | { action: 'reassign'; ownerId: UserRef['id'] }
  | { action: 'timeZone'; timeZone: string | null }
  | { action: 'clear' | 'restart' | 'delete' };

/** Its values differ from device to device, so that the question shows them. */
const isPreviewed = ({ action }: Order): boolean => action !== 'restart';

const releaseToThese = (target: Target, named: ReadonlyMap<string, Named>): ReleaseTo =>
  'filter' in target
    ? { filter: target.filter }
    : { devices: target.ids.map((id) => ({ id, orientation: named.get(id)?.orientation ?? null })) };

/** Devices that were never paired have no player to restart; of a filter's devices that is not known. */
const isAnyPaired = (target: Target, named: ReadonlyMap<string, Named>): boolean =>
  'filter' in target || target.ids.some((id) => named.get(id)?.pairedAt !== null);
