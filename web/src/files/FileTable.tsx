import { FILE_SORTS, HAS_LENGTH, type MediaFile } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { foundIn } from '../platform/query.ts';
import { fileQuery } from '../queries/files.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { StateBadge } from '../ui/feedback/StateBadge.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { formatDuration, useFormat } from '../ui/format/format.ts';
import { type SortHandle, usePanel, useSort } from '../ui/list/table/address.ts';
import { DataTable } from '../ui/list/table/DataTable.tsx';
import { SidePanel, TableAndPanel } from '../ui/list/table/SidePanel.tsx';
import type { Column } from '../ui/list/table/TableHead.tsx';
import { FileMenu } from './FileMenu.tsx';
import { FileBeside } from './Preview.tsx';

type Key = (typeof FILE_SORTS)[number];

export const useFileSort = (): SortHandle<Key> => useSort(FILE_SORTS, { key: 'createdAt', descending: true });

type TableProps = ComponentProps<typeof DataTable<MediaFile, Key>>;

interface FileTableProps extends Pick<TableProps, 'query' | 'label' | 'sort' | 'chosen' | 'empty' | 'filter'> {
  onDelete: (file: MediaFile) => Promise<boolean>;
}

/** The files of a kind on a desk, with one of them beside. */
export function FileTable({ onDelete, ...list }: FileTableProps) {
  const panel = usePanel();
  const remove = (file: MediaFile) => void onDelete(file).then((gone) => gone && panel.close());
  return (
    <TableAndPanel
      table={<DataTable {...list} columns={useColumns()} open={panel.id} onOpen={panel.open} onClose={panel.close} />}
      panel={
        panel.id !== undefined && <FilePanel key={panel.id} id={panel.id} onClose={panel.close} onDelete={remove} />
      }
    />
  );
}

function useColumns(): Column<MediaFile, Key>[] {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const { bytes, dateTime } = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        head: t('name'),
        width: 'minmax(140px, 2.5fr)',
        sort: 'name',
        cell: ({ name }) => <bdi>{name}</bdi>,
      },
      {
        id: 'state',
        head: common('status'),
        width: 'minmax(96px, 0.8fr)',
        cell: ({ state }) => (state === 'ready' ? null : <StateBadge state={state} />),
      },
      {
        id: 'size',
        head: common('fileSize'),
        width: 'minmax(88px, 0.7fr)',
        sort: 'bytes',
        end: true,
        cell: (file) => bytes(file.bytes),
      },
      {
        id: 'pixels',
        head: common('resolution'),
        width: 'minmax(92px, 0.7fr)',
        from: 740,
        end: true,
        cell: ({ width, height }) => width !== null && height !== null && `\u2066${width}×${height}\u2069`,
      },
      {
        id: 'duration',
        head: common('duration'),
        width: 'minmax(100px, 0.5fr)',
        sort: 'durationMs',
        end: true,
        cell: ({ media, durationMs }) => durationMs !== null && HAS_LENGTH[media] && formatDuration(durationMs),
      },
      {
        id: 'createdAt',
        head: common('createdAt'),
        width: 'minmax(156px, 1fr)',
        sort: 'createdAt',
        from: 640,
        cell: ({ createdAt }) => dateTime(createdAt),
      },
    ],
    [t, common, bytes, dateTime],
  );
}

interface FilePanelProps {
  id: string;
  onClose: () => void;
  onDelete: (file: MediaFile) => void;
}

/** A file has no page but its preview, which fills the window. */
function FilePanel({ id, onClose, onDelete }: FilePanelProps) {
  const { t } = useTranslation('files');
  const { search } = useLocation();
  const asked = useQuery(fileQuery(id));
  const file = foundIn(asked);
  const preview = new URLSearchParams(search);
  preview.set('preview', id);
  return (
    <SidePanel
      title={file?.name ?? t('preview', { name: '' })}
      to={`?${preview.toString()}`}
      onClose={onClose}
      actions={file && <FileMenu file={file} onDelete={() => onDelete(file)} />}
    >
      {file ? (
        <FileBeside file={file} onRenew={() => void asked.refetch()} />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <Skeleton height={280} />
      )}
    </SidePanel>
  );
}
