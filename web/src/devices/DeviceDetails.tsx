import type { Device } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLive } from '../platform/live.ts';
import { foundIn } from '../platform/query.ts';
import { deviceQuery, refreshDevice } from '../queries/devices.ts';
import { refreshAllReleases } from '../queries/releases.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { Columns } from '../ui/layout/Page.tsx';
import { askToDelete } from './actions.ts';
import { DeviceActions } from './DeviceActions.tsx';
import { DeviceFacts } from './DeviceFacts.tsx';
import { DeviceFiles } from './DeviceFiles.tsx';
import { DeviceHistory } from './DeviceHistory.tsx';
import { DeviceReleases } from './DeviceReleases.tsx';
import { DeviceTruths } from './DeviceTruths.tsx';
import { OnScreen } from './OnScreen.tsx';
import { WhyOnScreen } from './why/WhyOnScreen.tsx';

/** A device that is kept up to date while it is shown. `remove` asks first; `onRemoved` leaves what showed it. */
export function useShownDevice(id: string, onRemoved: () => void) {
  const query = useQuery(deviceQuery(id));
  const removing = useRef(false);
  useLive('device', (ids) => {
    if (ids.includes(id) && !removing.current) void refreshDevice(id);
  });
  useLive('release', () => void refreshAllReleases());
  const remove = async (device: Device) => {
    removing.current = true;
    if (await askToDelete(device)) return onRemoved();
    removing.current = false;
    // Changes that came during the question were not shown.
    await refreshDevice(id);
  };
  return {
    device: foundIn(query),
    error: query.error,
    retry: () => query.refetch(),
    remove: (device: Device) => void remove(device),
  };
}

interface DeviceDetailsProps {
  shown: ReturnType<typeof useShownDevice>;
  /** There is room for two columns, and for the actions in one of them. */
  wide: boolean;
}

/** All about a device, on its page and in the panel beside the list. */
export function DeviceDetails({ shown: { device, error, retry, remove }, wide }: DeviceDetailsProps) {
  if (device) {
    return (
      <Columns
        main={
          <>
            <DeviceTruths device={device} />
            {device.pairedAt !== null && <OnScreen device={device} />}
            {device.pairedAt !== null && <WhyOnScreen device={device} />}
            <DeviceReleases device={device} />
            {wide && <DeviceFiles device={device} />}
          </>
        }
        side={
          <>
            {device.pairedAt !== null && <DeviceHistory device={device} />}
            <DeviceFacts device={device} />
            {/* The longest list: below what is asked more often. */}
            {!wide && <DeviceFiles device={device} />}
            {wide && <DeviceActions device={device} as="list" onDelete={() => remove(device)} />}
          </>
        }
      />
    );
  }
  if (error) return <ErrorState error={error} onRetry={retry} />;
  return (
    <Columns
      main={
        <>
          <Skeleton height={220} />
          <Skeleton height={280} />
        </>
      }
      side={<Skeleton height={420} />}
    />
  );
}
