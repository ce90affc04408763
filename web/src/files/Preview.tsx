import { type MediaFile, HAS_LENGTH, fileKind } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { DIRECTION_LOCK } from '../platform/constants.ts';
import { IconButton } from '../ui/layout/Button.tsx';
import { formatDuration, useFormat } from '../ui/format/format.ts';
import {
  BackIcon,
  CrossIcon,
  FailIcon,
  NextIcon,
  PencilIcon,
  PlaylistIcon,
  TableIcon,
  TrashIcon,
} from '../ui/layout/icons.ts';
import { ErrorState } from '../ui/feedback/States.tsx';
import { reasonText, askToRename } from './actions.ts';
import { fileQuery } from '../queries/files.ts';
import { FileUses } from './FileUses.tsx';
import { kindText } from './kinds.ts';
import style from './preview.module.css';

interface PreviewProps {
  id: string;
  /** The files around it, for going to the next. */
  listed: readonly MediaFile[];
  onShow: (id: string) => void;
  onClose: () => void;
  onDelete: (file: MediaFile) => void;
}

/** A swipe this long (CSS pixels) goes to the next file. */
const SWIPE = 60;

/** One file full screen, playing; arrow keys and swipes go through the list. */
export function Preview({ id, listed, onShow, onClose, onDelete }: PreviewProps) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const ref = useModal();
  const [uses, setUses] = useState(false);
  const at = listed.findIndex((file) => file.id === id);
  const asked = useQuery(fileQuery(id));
  const file = asked.data ?? listed[at];
  const [before, after] = [listed[at - 1], at < 0 ? undefined : listed[at + 1]];
  const go = (to: MediaFile | undefined) => to && onShow(to.id);
  const swipe = useSwipe(
    () => go(before),
    () => go(after),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    // On the player itself the arrows seek.
    if (event.target instanceof HTMLVideoElement) return;
    const backwards = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const forwards = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key === backwards) go(before);
    if (event.key === forwards) go(after);
  };
  return (
    <>
      <dialog
        ref={ref}
        className={`${style.room} ${style.preview}`}
        aria-label={t('preview', { name: file?.name ?? '' })}
        onKeyDown={onKeyDown}
        onCancel={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        <header className={style.head}>
          <IconButton label={common('close')} icon={<CrossIcon />} onClick={onClose} />
          <h2>
            <bdi>{file?.name}</bdi>
          </h2>
          {file && (
            <>
              <IconButton
                label={common('playReport')}
                icon={<TableIcon />}
                onClick={() => void navigate(`/reports?file=${file.id}&by=device`)}
              />
              <IconButton label={t('uses')} icon={<PlaylistIcon />} onClick={() => setUses(true)} />
              <IconButton changes label={t('rename')} icon={<PencilIcon />} onClick={() => void askToRename(file)} />
              <IconButton changes label={common('delete')} icon={<TrashIcon />} onClick={() => onDelete(file)} />
            </>
          )}
        </header>
        <div className={style.stage} {...swipe}>
          {file ? (
            <Media key={file.id} file={file} onRenew={() => void asked.refetch()} />
          ) : (
            asked.error && <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
          )}
          {before && (
            <span className={style.before}>
              <IconButton label={t('previous')} icon={<BackIcon className="turns" />} onClick={() => go(before)} />
            </span>
          )}
          {after && (
            <span className={style.after}>
              <IconButton label={t('next')} icon={<NextIcon className="turns" />} onClick={() => go(after)} />
            </span>
          )}
        </div>
        {file && <About file={file} />}
      </dialog>
      {file && uses && <FileUses file={file} onClose={() => setUses(false)} />}
    </>
  );
}

function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog?.open) dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}

function useSwipe(onBackwards: () => void, onForwards: () => void) {
  const start = useRef<Touch | React.Touch>(undefined);
  return {
    onTouchStart: ({ touches }: React.TouchEvent) => {
      start.current = touches.length === 1 ? touches[0] : undefined;
    },
    onTouchEnd: ({ changedTouches }: React.TouchEvent) => {
      const end = changedTouches[0];
      if (!start.current || !end) return;
      const right = end.clientX - start.current.clientX;
      const down = Math.abs(end.clientY - start.current.clientY);
      if (Math.abs(right) < SWIPE || down > Math.abs(right) - DIRECTION_LOCK) return;
      const towardsEnd = document.dir === 'rtl' ? right > 0 : right < 0;
      if (towardsEnd) onForwards();
      else onBackwards();
    },
  };
}

/** The file and what is known of it, beside a list. */
export const FileBeside = ({ file, onRenew }: { file: MediaFile; onRenew: () => void }) => (
  <div className={`${style.room} ${style.beside}`}>
    <div className={style.stage}>
      <Media file={file} onRenew={onRenew} />
    </div>
    <About file={file} />
  </div>
);

/** The file itself. An expired address is requested again once. */
function Media({ file, onRenew }: { file: MediaFile; onRenew: () => void }) {
  const { t } = useTranslation('files');
  const [failedUrl, setFailedUrl] = useState<string>();
  const { url } = file;
  const onError = () => {
    if (failedUrl === undefined) onRenew();
    setFailedUrl(url ?? undefined);
  };
  if (file.state === 'failed') return <Notice text={reasonText(file.failure ?? 'unreadable')} failed />;
  if (file.state === 'processing') return <Notice text={t('stillProcessing')} progress={file.progress} />;
  if (!url || failedUrl === url) return <Notice text={t('notPlayable')} failed />;
  const Content = CONTENT[file.media];
  return <Content file={file} url={url} onError={onError} />;
}

interface ContentProps {
  file: MediaFile;
  url: string;
  onError: () => void;
}

const CONTENT: Record<MediaFile['media'], ComponentType<ContentProps>> = {
  image: ({ file, url, onError }) => <img src={url} alt={file.name} onError={onError} />,
  video: ({ file, url, onError }) => (
    // Advertising films have no captions to offer.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      src={url}
      poster={file.poster ?? undefined}
      aria-label={file.name}
      autoPlay
      loop
      controls
      playsInline
      onError={onError}
    />
  ),
};

function Notice({
  text,
  failed = false,
  progress = null,
}: {
  text: string;
  failed?: boolean;
  progress?: number | null;
}) {
  const { percent } = useFormat();
  return (
    <p className={style.notice} role="status">
      {failed ? <FailIcon /> : <i className={style.spinner} />}
      {progress !== null && <b>{percent(progress / 100)}</b>}
      {text}
    </p>
  );
}

function About({ file }: { file: MediaFile }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const { bytes, dateTime } = useFormat();
  const kind = fileKind(file.orientation, file.kind);
  const facts = [
    kind && `${common(file.orientation === 'vertical' ? 'vertical' : 'horizontal')}, ${t(kindText(kind))}`,
    file.width !== null && file.height !== null && `\u2066${file.width}×${file.height}\u2069`,
    file.durationMs !== null && HAS_LENGTH[file.media] && formatDuration(file.durationMs),
    bytes(file.bytes),
    file.uploadedBy?.username,
    dateTime(file.createdAt),
  ].filter(Boolean);
  return (
    <footer className={style.about}>
      {file.warning !== null && file.state !== 'failed' && (
        <p className={style.warning}>
          <FailIcon /> {reasonText(file.warning)}
        </p>
      )}
      <p className={style.facts}>
        {facts.map((fact) => (
          <span key={String(fact)}>{fact}</span>
        ))}
      </p>
    </footer>
  );
}
