import type { MediaFile } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { fileUsesQuery } from '../queries/files.ts';
import { SheetList, SheetRow } from '../ui/list/SheetList.tsx';

/** Where a file is used: its ads, each with the way to its live releases and their devices. */
export function FileUses({ file, onClose }: { file: Pick<MediaFile, 'id'>; onClose: () => void }) {
  const { t } = useTranslation('files');
  return (
    <SheetList
      title={t('uses')}
      query={fileUsesQuery(file.id)}
      idOf={({ ad }) => ad.id}
      empty={t('usesNone')}
      onClose={onClose}
      render={({ ad, listed, releases, devices }) => (
        <SheetRow
          title={<strong dir="auto">{ad.name}</strong>}
          caption={
            <>
              {!listed && <span>{t('usesReleasedOnly')}</span>}
              {releases === 0 ? (
                <span>{t('usesNotReleased')}</span>
              ) : (
                <Link to={`/releases?ad=${ad.id}&active=true`}>{t('usesReleases', { count: releases })}</Link>
              )}
              {devices > 0 && <Link to={`/mac?ad=${ad.id}`}>{t('usesDevices', { count: devices })}</Link>}
            </>
          }
        />
      )}
    />
  );
}
