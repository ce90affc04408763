import type { Device, DeviceFile } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { useFormat } from '../ui/format/format.ts';
import { FolderIcon, PlayIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { Thumbnail } from '../ui/list/Thumbnail.tsx';
import { CardRow, CardRows, NoRows } from './CardRows.tsx';
import { askToClear } from './actions.ts';
import { batchOfOne } from './batch/batchOfOne.ts';
import { deviceFilesQuery } from '../queries/devices.ts';

/** Files that a device holds and plays, and a button to clear them. */
export function DeviceFiles({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const change = batchOfOne(device);
  const files = useQuery(deviceFilesQuery(device.id));
  return (
    <Card
      title={t('filesHere')}
      action={
        files.data !== undefined &&
        files.data.length > 0 && (
          <Button changes small onClick={() => askToClear(device, () => change({ action: 'clear' }))}>
            {t('clearFiles')}
          </Button>
        )
      }
    >
      {files.isPending && <Skeleton height={72} />}
      {files.error && !files.data && <ErrorState error={files.error} onRetry={() => files.refetch()} />}
      {files.data?.length === 0 && <NoRows icon={<FolderIcon />} title={t('noFilesHere')} hint={t('nothingHint')} />}
      <CardRows>
        {files.data?.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </CardRows>
    </Card>
  );
}

function FileRow({ file }: { file: DeviceFile }) {
  const { t } = useTranslation('devices');
  const { bytes, list } = useFormat();
  return (
    <CardRow
      poster={<Thumbnail src={file.poster} media={file.media} />}
      title={
        <strong dir="auto">
          <bdi>{file.name}</bdi>
        </strong>
      }
      caption={
        <>
          {bytes(file.bytes)} · <bdi>{list(file.ads.map((ad) => ad.name))}</bdi>
        </>
      }
      badges={
        <>
          {/* How far each single file is, devices do not say: it is as far as the release that brings it. */}
          <StateBadge state={file.state === 'downloading' ? 'waiting' : file.state} />
          {file.playing.length > 0 && (
            <Badge tone="primary" icon={<PlayIcon />}>
              {t('onScreen')}
            </Badge>
          )}
        </>
      }
    />
  );
}
