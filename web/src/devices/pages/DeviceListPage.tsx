import type { Device } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { DownIcon, PlusIcon, ScanIcon, UpIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { Page } from '../../ui/Page.tsx';
import { AddDevice } from '../AddDevice.tsx';
import { DeviceCard } from '../DeviceCard.tsx';
import { Filters, useDeviceFilter } from '../Filters.tsx';
import { devicesQuery, refreshDevices } from '../devices.api.ts';
import { ImportSheet } from '../sheets/ImportSheet.tsx';
import { exportDevices } from '../sheets/sheets.api.ts';
import style from '../devices.module.css';

export default function DeviceListPage() {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const [adding, setAdding] = useState(false);
  const [importing, setImporting] = useState(false);
  const handle = useDeviceFilter();
  useLive('device', (ids) => void refreshDevices(ids));
  return (
    <Page
      title={t('title')}
      actions={
        <MenuButton
          title={t('spreadsheets')}
          items={[
            ...(leading
              ? [{ text: t('import'), hint: t('importHint'), icon: <UpIcon />, onPick: () => setImporting(true) }]
              : []),
            {
              text: t('export'),
              hint: t(handle.active ? 'exportHintFiltered' : 'exportHint'),
              icon: <DownIcon />,
              onPick: () => void exportDevices(handle.filter),
            },
          ]}
        />
      }
      bar={<Filters handle={handle} />}
    >
      <div className={style.wide}>
        <ButtonLink to="/scancode" look="primary" icon={<ScanIcon />}>
          {t('scan')}
        </ButtonLink>
        {leading && (
          <Button icon={<PlusIcon />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )}
      </div>
      <InfiniteList<Device>
        query={devicesQuery(handle.filter)}
        label={t('list')}
        rowHeight={146}
        minColumn={330}
        render={(device) => <DeviceCard device={device} />}
        empty={useEmpty(handle.active, handle.clear)}
      />
      {importing && <ImportSheet onClose={() => setImporting(false)} />}
      {adding && <AddDevice onClose={() => setAdding(false)} />}
    </Page>
  );
}

function useEmpty(filtered: boolean, clear: () => void) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  if (!filtered) return { title: t('empty'), hint: t('emptyHint') };
  return {
    title: common('noMatch'),
    hint: common('noMatchHint'),
    action: <Button onClick={clear}>{common('clearFilters')}</Button>,
  };
}
