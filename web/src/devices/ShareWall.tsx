import type { DeviceFilter } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { createShare, revokeShare, sharesQuery } from '../queries/shares.ts';
import { ShareSheet } from '../ui/share/ShareSheet.tsx';

interface ShareWallProps {
  /** Heading of the wall. */
  title: string;
  filter: DeviceFilter;
  onClose: () => void;
}

/** Makes a link to a live wall of the devices that a filter shows. */
export function ShareWall({ title, filter, onClose }: ShareWallProps) {
  const { t } = useTranslation('devices');
  return (
    <ShareSheet
      title={t('shareWall')}
      hint={t('shareWallHint')}
      query={sharesQuery()}
      create={(days) => createShare({ subject: { kind: 'wall', title, filter }, days })}
      revoke={revokeShare}
      onClose={onClose}
    />
  );
}
