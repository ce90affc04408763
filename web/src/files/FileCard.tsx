import { type MediaFile, type FileKind, HAS_LENGTH, fileKind } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { formatDuration, useFormat } from '../ui/format/format.ts';
import { FailIcon } from '../ui/layout/icons.ts';
import { FileFacts, FileName } from '../ui/list/FileName.tsx';
import { SelectMark } from '../ui/list/select/SelectMark.tsx';
import { useLongPress } from '../ui/list/select/longPress.ts';
import { StateBadge } from '../ui/feedback/StateBadge.tsx';
import { Thumbnail } from '../ui/list/Thumbnail.tsx';
import { reasonText } from './actions.ts';
import { FileMenu } from './FileMenu.tsx';
import { posterRatio } from './kinds.ts';
import style from './files.module.css';

interface FileCardProps {
  file: MediaFile;
  /** Whether it is chosen, while files are being selected; undefined otherwise. */
  selected: boolean | undefined;
  onOpen: () => void;
  onToggle: () => void;
  onDelete: () => void;
}

/** A file in the grid. A tap shows it, or chooses it while files are being selected. */
export function FileCard({ file, selected, onOpen, onToggle, onDelete }: FileCardProps) {
  const { t } = useTranslation('files');
  const selecting = selected !== undefined;
  const press = useLongPress(onToggle, selecting ? onToggle : onOpen);
  return (
    <article className={style.card} data-selected={selected || undefined} data-state={file.state}>
      <button
        type="button"
        className={style.poster}
        role={selecting ? 'checkbox' : undefined}
        aria-checked={selected}
        {...press}
      >
        <span className="visually-hidden">{selecting ? file.name : t('preview', { name: file.name })}</span>
        <Poster file={file} />
        <SelectMark selected={selected} />
      </button>
      <div className={style.about}>
        <div className={style.words}>
          <FileName name={file.name} small />
          <Facts file={file} />
        </div>
        {!selecting && <FileMenu file={file} onDelete={onDelete} />}
      </div>
    </article>
  );
}

const kindOfFile = ({ orientation, kind }: MediaFile): FileKind | undefined => fileKind(orientation, kind);

function Poster({ file }: { file: MediaFile }) {
  const kind = kindOfFile(file);
  const percentDone = usePercentDone(file);
  return (
    <span className={style.picture}>
      <Thumbnail src={file.poster} media={file.media} ratio={kind ? String(posterRatio(kind)) : '1'} />
      {file.state !== 'ready' && (
        <span className={style.state}>
          <StateBadge state={file.state} {...(percentDone !== undefined && { text: percentDone })} />
        </span>
      )}
      {HAS_LENGTH[file.media] && file.durationMs !== null && (
        <span className={style.duration}>{formatDuration(file.durationMs)}</span>
      )}
    </span>
  );
}

/** How far a conversion is, in words; undefined when there is none. */
export function usePercentDone({ state, progress }: MediaFile): string | undefined {
  const { t } = useTranslation();
  const { percent } = useFormat();
  if (state !== 'processing' || progress === null) return undefined;
  return `${t('stateProcessing')} ${percent(progress / 100)}`;
}

/** Size and dimensions; why it failed; what to know of its shape. */
function Facts({ file }: { file: MediaFile }) {
  const { t } = useTranslation('files');
  const { bytes } = useFormat();
  if (file.state === 'failed') return <span className={style.reason}>{reasonText(file.failure ?? 'unreadable')}</span>;
  return (
    <>
      <FileFacts>
        <span>{bytes(file.bytes)}</span>
        {file.width !== null && file.height !== null && (
          <span className="device">
            {file.width}×{file.height}
          </span>
        )}
      </FileFacts>
      {file.warning !== null && (
        <span className={style.warning} title={reasonText(file.warning)}>
          <FailIcon /> {t('warning')}
        </span>
      )}
    </>
  );
}
