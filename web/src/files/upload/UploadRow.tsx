import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/Button.tsx';
import { confirm } from '../../ui/confirm.ts';
import { useFormat } from '../../ui/format.ts';
import { CheckIcon, CrossIcon, FailIcon, PauseIcon, PlayIcon, ReloadIcon } from '../../ui/icons.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { reasonText } from '../actions.ts';
import { fileQuery } from '../files.api.ts';
import { type UploadItem, type UploadState, isUnfinished, shareOf } from './item.ts';
import { LocalPicture } from './LocalPicture.tsx';
import { uploads } from './manager.ts';
import { secondsLeft } from './pace.ts';
import { RenameForm } from './RenameForm.tsx';
import { percent, refusalText, shortTime } from './words.ts';
import style from './upload.module.css';

/** `data-state` of a row: what waits for its turn counts as uploading. */
const stateName = ({ kind }: UploadState) => (kind === 'queued' ? 'uploading' : kind);

/** One chosen file: how far it is, what can be done, and how it ended. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { state } = item;
  const mendable = state.kind === 'refused' && state.refusal.kind === 'name';
  const hasBar = state.kind === 'queued' || state.kind === 'uploading' || state.kind === 'paused';
  return (
    <li className={style.row} data-testid="upload" data-state={stateName(state)}>
      <LocalPicture file={item.file} media={item.target.media} />
      <div className={style.words}>
        <strong className={style.name} dir="auto">
          <bdi>{item.name}</bdi>
        </strong>
        {hasBar && <Bar item={item} />}
        <Told item={item} />
      </div>
      <Buttons item={item} />
      {mendable && <RenameForm key={item.name} item={item} />}
    </li>
  );
}

function Bar({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const share = shareOf(item);
  return (
    <div
      className={style.bar}
      role="progressbar"
      aria-label={t('progressOf', { name: item.name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
      data-paused={item.state.kind === 'paused' || undefined}
    >
      <i style={{ inlineSize: `${share * 100}%` }} />
    </div>
  );
}

/** The line under the name. */
function Told({ item }: { item: UploadItem }) {
  const { t, i18n } = useTranslation('files');
  const { bytes } = useFormat();
  const { state, sent, file } = item;
  const share = percent(i18n.language, shareOf(item));
  switch (state.kind) {
    case 'checking':
      return <p className={style.told}>{t('checking')}</p>;
    case 'queued':
      return <p className={style.told}>{t('queued')}</p>;
    case 'refused':
      return <Trouble text={refusalText(state.refusal)} />;
    case 'failed':
      return <Trouble title={t('failed')} text={state.message} />;
    case 'paused':
      return (
        <p className={style.told}>
          <b>{share}</b>
          <span>{t('paused')}</span>
          <span>{t('sentOf', { sent: bytes(sent), total: bytes(file.size) })}</span>
        </p>
      );
    case 'done':
      return <Done fileId={state.fileId} size={bytes(file.size)} />;
    case 'uploading':
      return state.interrupted ? (
        <p className={`${style.told} ${style.away}`} role="status">
          <b>{share}</b>
          <span>{t('interrupted')}</span>
        </p>
      ) : (
        <Going item={item} share={share} />
      );
  }
}

function Going({ item, share }: { item: UploadItem; share: string }) {
  const { t, i18n } = useTranslation('files');
  const { bytes } = useFormat();
  const { sent, file, state } = item;
  if (state.kind !== 'uploading') return null;
  const { pace } = state;
  const left = secondsLeft(pace, file.size - sent);
  return (
    <p className={style.told}>
      <b>{share}</b>
      <span>{t('sentOf', { sent: bytes(sent), total: bytes(file.size) })}</span>
      {sent === file.size && <span>{t('finishing')}</span>}
      {sent < file.size && pace.bytesPerSecond !== undefined && (
        <span>{t('speed', { size: bytes(pace.bytesPerSecond) })}</span>
      )}
      {sent < file.size && left !== undefined && (
        <span>{t('secondsLeft', { time: shortTime(i18n.language, left) })}</span>
      )}
    </p>
  );
}

/** Sent; whether the server can use it comes a little later, by itself. */
function Done({ fileId, size }: { fileId: string; size: string }) {
  const { t } = useTranslation('files');
  const { data: file } = useQuery({ ...fileQuery(fileId), enabled: fileId !== '' });
  if (file?.state === 'failed') return <Trouble text={reasonText(file.failure ?? 'unreadable')} />;
  return (
    <>
      <p className={`${style.told} ${style.good}`}>
        <CheckIcon />
        <b>{t('uploaded')}</b>
        <span>{size}</span>
        {file?.state === 'processing' && <StateBadge state="processing" />}
      </p>
      {file?.warning && (
        <p className={`${style.told} ${style.note} ${style.away}`}>
          <FailIcon />
          <span>{reasonText(file.warning)}</span>
        </p>
      )}
    </>
  );
}

const Trouble = ({ title, text }: { title?: string; text: string }) => (
  <p className={`${style.told} ${style.note} ${style.trouble}`} role="alert">
    <FailIcon />
    <span>
      {title !== undefined && <b>{title}: </b>}
      {text}
    </span>
  </p>
);

/** Pause, resume or try again, and remove. */
function Buttons({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const { id, name, state } = item;
  const again =
    (state.kind === 'failed' && !state.final) || (state.kind === 'refused' && state.refusal.kind === 'count');
  const started = state.kind === 'uploading' || state.kind === 'queued';
  const remove = () => {
    if (item.sent === 0 || !isUnfinished(item)) return void uploads.remove(id);
    void confirm({
      title: t('stopTitle', { name }),
      body: t('stopBody'),
      action: t('stop'),
      danger: true,
      run: () => uploads.remove(id),
    });
  };
  return (
    <div className={style.buttons}>
      {started && <IconButton label={t('pause', { name })} icon={<PauseIcon />} onClick={() => uploads.pause(id)} />}
      {state.kind === 'paused' && (
        <IconButton label={t('resume', { name })} icon={<PlayIcon />} onClick={() => uploads.resume(id)} />
      )}
      {again && (
        <IconButton label={t('retryFile', { name })} icon={<ReloadIcon />} onClick={() => uploads.resume(id)} />
      )}
      <IconButton label={t('removeFile', { name })} icon={<CrossIcon />} onClick={remove} />
    </div>
  );
}
