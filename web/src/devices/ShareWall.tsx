import { type DeviceFilter, GROUP_NAME_MAX } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { createShare, revokeShare, sharesQuery } from '../queries/shares.ts';
import { ShareSheet } from '../ui/share/ShareSheet.tsx';

interface ShareWallProps {
  /** Heading of the wall, by which its maker finds the link again; left out, the words of the filter. */
  title?: string;
  filter: DeviceFilter;
  onClose: () => void;
}

/** The words of a filter, as far as a heading has room for them; empty for one without. */
function wordsOf({ q, area, tags = {} }: DeviceFilter): string {
  const words = [q, area, ...(tags.all ?? []), ...(tags.any ?? [])].filter((word) => word !== undefined && word !== '');
  return Array.from(words.join(' · ')).slice(0, GROUP_NAME_MAX).join('');
}

/** Makes a link to a live wall of the devices that a filter shows. */
export function ShareWall({ title, filter, onClose }: ShareWallProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const heading = title ?? (wordsOf(filter) || common('barDevices'));
  return (
    <ShareSheet
      title={t('shareWall')}
      hint={t('shareWallHint')}
      query={sharesQuery()}
      create={(days) => createShare({ subject: { kind: 'wall', title: heading, filter }, days })}
      revoke={revokeShare}
      onClose={onClose}
    />
  );
}
