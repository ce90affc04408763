import type { Device, DeviceFilter } from '@ams/contract';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { later, loadChunk } from '../../platform/chunks.ts';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink, IconButton } from '../../ui/layout/Button.tsx';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { Selectable } from '../../ui/list/select/SelectMark.tsx';
import {
  BookmarkIcon,
  DownIcon,
  GroupIcon,
  ShareIcon,
  PlusIcon,
  ScanIcon,
  SelectIcon,
  UpIcon,
} from '../../ui/layout/icons.ts';
import { MenuButton } from '../../ui/layout/Menu.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { useDesk } from '../../ui/layout/wide.ts';
import { BatchProgress } from '../batch/BatchProgress.tsx';
import { useBatch } from '../batch/useBatch.ts';
import { useChosenDevices } from '../batch/useChosenDevices.ts';
import { DeviceCard } from '../DeviceCard.tsx';
import { DeviceTable, useDeviceSort } from '../DeviceTable.tsx';
import { Filters, useDeviceFilter } from '../Filters.tsx';
import { canSave } from '../groups/canSave.ts';
import { devicesQuery, refreshDevices } from '../../queries/devices.ts';
import { exportAsSheet } from '../sheets/export.ts';

const AddDevice = later(
  () => import('../AddDevice.tsx'),
  (module) => module.AddDevice,
);
const BatchBar = later(
  () => import('../batch/BatchBar.tsx'),
  (module) => module.BatchBar,
);
const BatchResult = later(
  () => import('../batch/BatchResult.tsx'),
  (module) => module.BatchResult,
);
const ChangedGroup = later(
  () => import('../groups/ChangedGroup.tsx'),
  (module) => module.ChangedGroup,
);
const ImportSheet = later(
  () => import('../sheets/ImportSheet.tsx'),
  (module) => module.ImportSheet,
);
const ShareWall = later(
  () => import('../ShareWall.tsx'),
  (module) => module.ShareWall,
);

const saveAsGroup = async (filter: DeviceFilter) =>
  (await loadChunk(() => import('../groups/actions.ts'))).askToSave(filter);

export default function DeviceListPage() {
  const { t } = useTranslation('devices');
  const handle = useDeviceFilter();
  const { changing } = useAddressFilter(['changing']).values;
  const batch = useBatch();
  const desk = useDesk();
  const sort = useDeviceSort();
  const chosen = useChosenDevices(handle.filter, desk ? sort.sort : undefined);
  const extend = useExtending(chosen.onAll);
  useLive('device', (ids) => void refreshDevices(ids));
  return (
    <Page
      title={t('title')}
      desk={desk}
      actions={
        (desk || !chosen.selecting) && (
          <>
            {desk ? (
              <MoreDevices small />
            ) : (
              <IconButton changes label={t('selectDevices')} icon={<SelectIcon />} onClick={chosen.begin} />
            )}
            <ListActions filter={handle.filter} filtered={handle.active} />
          </>
        )
      }
      bar={<Filters handle={handle} />}
    >
      <Suspense>{changing !== undefined && <ChangedGroup id={changing} filter={handle.filter} />}</Suspense>
      {batch.running && <BatchProgress job={batch.running} />}
      {desk ? (
        <DeviceTable handle={handle} sort={sort} chosen={chosen} />
      ) : (
        <>
          <MoreDevices />
          <Cards handle={handle} chosen={chosen} />
        </>
      )}
      <Suspense>
        {chosen.selecting && (
          <BatchBar
            {...chosen}
            extend={extend}
            busy={batch.running !== undefined}
            onStart={(body) => batch.start(body, chosen.named.current)}
          />
        )}
        {batch.outcome && <BatchResult outcome={batch.outcome} onUndo={batch.undo} onClose={batch.closeOutcome} />}
      </Suspense>
    </Page>
  );
}

interface CardsProps {
  handle: ReturnType<typeof useDeviceFilter>;
  chosen: ReturnType<typeof useChosenDevices>;
}

function Cards({ handle, chosen }: CardsProps) {
  const { t } = useTranslation('devices');
  return (
    <Selectable selecting={chosen.selecting}>
      <InfiniteList<Device>
        query={devicesQuery(handle.filter)}
        label={t('list')}
        rowHeight={146}
        minColumn={330}
        render={(device) => (
          <DeviceCard
            device={device}
            selected={chosen.selecting ? chosen.has(device.id) : undefined}
            onToggle={() => chosen.toggle(device)}
          />
        )}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
        filter={handle}
      />
    </Selectable>
  );
}

/** Whether a notice led here to extend what the filter shows: then all of it is selected. */
function useExtending(selectAll: () => void): boolean {
  const state: unknown = useLocation().state;
  const [extend] = useState(typeof state === 'object' && state !== null && 'extend' in state);
  const select = useEffectEvent(selectAll);
  useEffect(() => {
    if (extend) select();
  }, [extend]);
  return extend;
}

/** The ways to more devices: by their code, or by their MAC. */
function MoreDevices({ small = false }: { small?: boolean }) {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const [adding, setAdding] = useState(false);
  return (
    <ButtonRow>
      <ButtonLink to="/scancode" look="primary" small={small} icon={<ScanIcon />}>
        {t('scan')}
      </ButtonLink>
      {leading && (
        <Button changes small={small} icon={<PlusIcon />} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      )}
      <Suspense>{adding && <AddDevice onClose={() => setAdding(false)} />}</Suspense>
    </ButtonRow>
  );
}

function ListActions({ filter, filtered }: { filter: DeviceFilter; filtered: boolean }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const navigate = useNavigate();
  const [sheet, setSheet] = useState<'import' | 'wall'>();
  const close = () => setSheet(undefined);
  return (
    <>
      <MenuButton
        title={common('actionsFor', { name: t('list') })}
        items={[
          ...(leading
            ? [{ text: t('import'), hint: t('importHint'), icon: <UpIcon />, onPick: () => setSheet('import') }]
            : []),
          {
            reads: true,
            text: t('export'),
            hint: t(filtered ? 'exportHintFiltered' : 'exportHint'),
            icon: <DownIcon />,
            run: () => exportAsSheet({ filter }),
          },
          ...(canSave(filter)
            ? [{ text: t('saveGroup'), icon: <BookmarkIcon />, onPick: () => void saveAsGroup(filter) }]
            : []),
          { text: t('shareWall'), icon: <ShareIcon />, onPick: () => setSheet('wall') },
          { reads: true, text: t('groups'), icon: <GroupIcon />, onPick: () => void navigate('/groups') },
        ]}
      />
      <Suspense>
        {sheet === 'import' && <ImportSheet onClose={close} />}
        {sheet === 'wall' && <ShareWall filter={filter} onClose={close} />}
      </Suspense>
    </>
  );
}
