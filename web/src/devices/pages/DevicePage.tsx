import { type Device, deviceLabel } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { isApiError } from '../../platform/api.ts';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import {
  CalendarIcon,
  GlobeIcon,
  PencilIcon,
  PinIcon,
  ReloadIcon,
  SendIcon,
  SoundIcon,
  TableIcon,
  TagIcon,
  TrashIcon,
  UsersIcon,
} from '../../ui/layout/icons.ts';
import { ActionList, MenuButton } from '../../ui/layout/Menu.tsx';
import { Columns, Page } from '../../ui/layout/Page.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { pickableUsersQuery } from '../../queries/users.ts';
import { UserPicker } from '../../ui/form/UserPicker.tsx';
import { useWide } from '../../ui/layout/wide.ts';
import { askToReassign, askToClear, askToDelete, askToRename, askToRestart } from '../actions.ts';
import { useDeviceChange } from '../batch/useDeviceChange.ts';
import { DeviceExpirySheet } from '../DeviceExpirySheet.tsx';
import { DeviceFacts } from '../DeviceFacts.tsx';
import { DeviceFiles } from '../DeviceFiles.tsx';
import { DeviceHistory } from '../DeviceHistory.tsx';
import { DeviceReleases } from '../DeviceReleases.tsx';
import { deviceQuery, refreshDevice } from '../../queries/devices.ts';
import { refreshAllReleases } from '../../queries/releases.ts';
import { DeviceTruths } from '../DeviceTruths.tsx';
import { OnScreen } from '../OnScreen.tsx';
import { PlaceSheet } from '../PlaceSheet.tsx';
import { ReleaseSheet } from '../ReleaseSheet.tsx';
import { SoundSheet } from '../SoundSheet.tsx';
import { TagsSheet } from '../TagsSheet.tsx';
import { TimeZoneSheet } from '../TimeZoneSheet.tsx';
import { WhyOnScreen } from '../why/WhyOnScreen.tsx';

export default function DevicePage() {
  const { t } = useTranslation('devices');
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const query = useQuery(deviceQuery(id));
  const removing = useRef(false);
  useLive('device', (ids) => {
    if (ids.includes(id) && !removing.current) void refreshDevice(id);
  });
  useLive('release', () => void refreshAllReleases());

  const remove = async (device: Device) => {
    removing.current = true;
    if (await askToDelete(device)) void navigate('/mac', { replace: true });
    else removing.current = false;
  };
  const wide = useWide();
  const device = isApiError(query.error, 'NOT_FOUND') ? undefined : query.data;
  return (
    <Page
      title={device ? deviceLabel(device) : t('device')}
      back="/mac"
      actions={device && !wide && <Actions key={device.id} device={device} onDelete={() => void remove(device)} />}
    >
      {device ? (
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
              {wide && <Actions device={device} onDelete={() => void remove(device)} />}
            </>
          }
        />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <Columns
          main={
            <>
              <Skeleton height={220} />
              <Skeleton height={280} />
            </>
          }
          side={<Skeleton height={420} />}
        />
      )}
    </Page>
  );
}

type Sheet = 'release' | 'owner' | 'expiry' | 'timeZone' | 'place' | 'tags' | 'sound';

/**
 * What one may do to a device: everybody renames and deletes its own, the rest is for leading users. A list where there
 * is room beside the rest, else behind the button of the header: one screen of a phone is not scrolled for it.
 */
function Actions({ device, onDelete }: { device: Device; onDelete: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { leading } = useSession();
  const wide = useWide();
  const [sheet, setSheet] = useState<Sheet>();
  const close = () => setSheet(undefined);
  const change = useDeviceChange(device);
  const forLeading = [
    { text: t('setExpiry'), icon: <CalendarIcon />, onPick: () => setSheet('expiry') },
    { text: t('changeOwner'), icon: <UsersIcon />, onPick: () => setSheet('owner') },
    { text: t('changeTimeZone'), icon: <GlobeIcon />, onPick: () => setSheet('timeZone') },
  ];
  const items = [
    { text: t('releaseAd'), icon: <SendIcon />, onPick: () => setSheet('release') },
    { text: t('rename'), icon: <PencilIcon />, onPick: () => void askToRename(device) },
    { text: t('setPlace'), icon: <PinIcon />, onPick: () => setSheet('place') },
    { text: t('setTags'), icon: <TagIcon />, onPick: () => setSheet('tags') },
    {
      text: common('playReport'),
      icon: <TableIcon />,
      onPick: () => void navigate(`/reports?device=${device.id}&by=ad`),
    },
    ...(leading ? forLeading : []),
    { text: t('sound'), icon: <SoundIcon />, onPick: () => setSheet('sound') },
    ...(device.pairedAt === null
      ? []
      : [{ text: t('restart'), icon: <ReloadIcon />, onPick: () => void askToRestart(device) }]),
    { text: t('clearFiles'), icon: <TrashIcon />, onPick: () => void askToClear(device) },
    { text: t('deleteDevice'), icon: <TrashIcon />, danger: true, onPick: onDelete },
  ];
  return (
    <>
      {wide ? <ActionList items={items} /> : <MenuButton title={t('actions')} items={items} />}
      {sheet === 'release' && (
        <ReleaseSheet to={{ devices: [{ id: device.id, orientation: device.orientation }] }} onClose={close} />
      )}
      {sheet === 'expiry' && <DeviceExpirySheet device={device} onClose={close} />}
      {sheet === 'place' && <PlaceSheet device={device} onClose={close} />}
      {sheet === 'tags' && <TagsSheet device={device} onClose={close} />}
      {sheet === 'sound' && <SoundSheet device={device} onClose={close} />}
      {sheet === 'timeZone' && (
        <TimeZoneSheet
          title={t('changeTimeZone')}
          present={device.timeZone}
          onPick={(timeZone) => change({ action: 'timeZone', timeZone })}
          onClose={close}
        />
      )}
      {sheet === 'owner' && (
        <UserPicker
          query={pickableUsersQuery}
          title={t('chooseOwner')}
          onClose={close}
          onPick={(user) => {
            close();
            void askToReassign(user, () => change({ action: 'reassign', ownerId: user.id }));
          }}
        />
      )}
    </>
  );
}
