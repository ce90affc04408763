import type { Device } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../platform/session.ts';
import { pickableUsersQuery } from '../queries/users.ts';
import { UserPicker } from '../ui/form/UserPicker.tsx';
import {
  AgendaIcon,
  CalendarIcon,
  ClockIcon,
  GlobeIcon,
  LevelsIcon,
  PencilIcon,
  PinIcon,
  ReloadIcon,
  SendIcon,
  SoundIcon,
  TableIcon,
  TagIcon,
  TrashIcon,
  UsersIcon,
} from '../ui/layout/icons.ts';
import { ActionList, MenuButton } from '../ui/layout/Menu.tsx';
import { askToClear, askToReassign, askToRename, askToRestart } from './actions.ts';
import { batchOfOne } from './batch/batchOfOne.ts';
import { DeviceExpirySheet } from './DeviceExpirySheet.tsx';
import { DeviceHoursSheet } from './hours/DeviceHoursSheet.tsx';
import { LevelsSheet } from './hours/LevelsSheet.tsx';
import { PlaceSheet } from './PlaceSheet.tsx';
import { ReleaseSheet } from './ReleaseSheet.tsx';
import { SoundSheet } from './SoundSheet.tsx';
import { TagsSheet } from './TagsSheet.tsx';
import { TimeZoneSheet } from './TimeZoneSheet.tsx';

type Sheet = 'release' | 'owner' | 'expiry' | 'timeZone' | 'place' | 'tags' | 'sound' | 'hours' | 'levels';

interface DeviceActionsProps {
  device: Device;
  /** A list where there is room beside the rest, else behind a button: one screen of a phone is not scrolled for it. */
  as: 'list' | 'menu';
  onDelete: () => void;
}

/** What one may do to a device: everybody renames and deletes its own, the rest is for leading users. */
export function DeviceActions({ device, as, onDelete }: DeviceActionsProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { leading } = useSession();
  const [sheet, setSheet] = useState<Sheet>();
  const close = () => setSheet(undefined);
  const change = batchOfOne(device);
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
      reads: true,
      text: common('calendar'),
      icon: <AgendaIcon />,
      onPick: () => void navigate(`/calendar?device=${device.id}`),
    },
    {
      reads: true,
      text: common('playReport'),
      icon: <TableIcon />,
      onPick: () => void navigate(`/reports?device=${device.id}&by=ad`),
    },
    ...(leading ? forLeading : []),
    { text: t('workingHours'), icon: <ClockIcon />, onPick: () => setSheet('hours') },
    { text: t('levels'), icon: <LevelsIcon />, onPick: () => setSheet('levels') },
    { text: t('sound'), icon: <SoundIcon />, onPick: () => setSheet('sound') },
    ...(device.pairedAt === null
      ? []
      : [{ text: t('restart'), icon: <ReloadIcon />, onPick: () => void askToRestart(device) }]),
    {
      text: t('clearFiles'),
      icon: <TrashIcon />,
      onPick: () => void askToClear(device, () => change({ action: 'clear' })),
    },
    { text: t('deleteDevice'), icon: <TrashIcon />, danger: true, onPick: onDelete },
  ];
  return (
    <>
      {as === 'list' ? <ActionList items={items} /> : <MenuButton title={t('actions')} items={items} />}
      {sheet === 'release' && (
        <ReleaseSheet to={{ devices: [{ id: device.id, orientation: device.orientation }] }} onClose={close} />
      )}
      {sheet === 'expiry' && <DeviceExpirySheet device={device} onClose={close} />}
      {sheet === 'place' && <PlaceSheet device={device} onClose={close} />}
      {sheet === 'tags' && <TagsSheet device={device} onClose={close} />}
      {sheet === 'sound' && <SoundSheet device={device} onClose={close} />}
      {sheet === 'levels' && <LevelsSheet device={device} onClose={close} />}
      {sheet === 'hours' && <DeviceHoursSheet device={device} onClose={close} />}
      {sheet === 'timeZone' && (
        <TimeZoneSheet
          title={t('changeTimeZone')}
          present={device.timeZone}
          onPick={(timeZone) => change({ action: 'timeZone', timeZone })}
          onReported={() => change({ action: 'timeZone', timeZone: null })}
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
