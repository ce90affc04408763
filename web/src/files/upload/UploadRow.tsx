import { fileKind, type MediaFile } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/layout/Button.tsx';
import { confirm } from '../../ui/feedback/confirm.ts';
import { useFormat } from '../../ui/format/format.ts';
import { CheckIcon, CrossIcon, PauseIcon, PlayIcon, ReloadIcon } from '../../ui/layout/icons.ts';
import { Bar } from '../../ui/transfer/Bar.tsx';
import { Going } from '../../ui/transfer/Going.tsx';
import { Note, Told, TransferRow, Trouble } from '../../ui/transfer/TransferRow.tsx';
import { reasonText } from '../actions.ts';
import { fileQuery } from '../../queries/files.ts';
import { kindText } from '../kinds.ts';
import { type UploadItem, type UploadState, canRetry, isUnfinished, shareOf } from './item.ts';
import { LocalPicture } from './LocalPicture.tsx';
import { uploads } from './manager.ts';
import { RenameForm } from './RenameForm.tsx';
import { refusalText } from './words.ts';

/** `data-state` of a row: a waiting upload counts as uploading. */
const stateName = ({ kind }: UploadState) => (kind === 'queued' ? 'uploading' : kind);

/** One chosen file: how far it is, what can be done, and how it ended. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { state } = item;
  const mendable = state.kind === 'refused' && state.refusal.kind === 'name';
  return (
    <li data-testid="upload" data-state={stateName(state)}>
      <TransferRow
        picture={<LocalPicture file={item.file} media={item.target.media} />}
        name={item.name}
        buttons={<Buttons item={item} />}
        below={mendable && <RenameForm key={item.name} item={item} />}
      >
        <Progress item={item} />
      </TransferRow>
    </li>
  );
}

/** Bar and words. */
function Progress({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const { bytes, percent } = useFormat();
  const { state, sent, file } = item;
  const label = common('progressOf', { name: item.name });
  const share = shareOf(item);
  switch (state.kind) {
    case 'checking':
      return <Told>{t('checking')}</Told>;
    case 'refused':
      return <Trouble text={refusalText(state.refusal)} />;
    case 'failed':
      return <Trouble title={common('uploadFailed')} text={state.message} />;
    case 'done':
      return <Arrived item={item} fileId={state.fileId} size={bytes(file.size)} />;
    case 'queued':
      return (
        <>
          <Bar label={label} share={share} />
          <Told>{t('queued')}</Told>
        </>
      );
    case 'paused':
      return (
        <>
          <Bar label={label} share={share} paused />
          <Told>
            <b>{percent(share)}</b>
            <span>{common('paused')}</span>
            <span>{common('sentOf', { sent: bytes(sent), total: bytes(file.size) })}</span>
          </Told>
        </>
      );
    case 'uploading':
      return (
        <>
          <Bar label={label} share={share} />
          <Going {...state} sent={sent} size={file.size} finishing={t('finishing')} />
        </>
      );
  }
}

/** The server has it all and makes of it what screens can play: how far that is, and how it ends. */
function Arrived({ item: { name, target }, fileId, size }: { item: UploadItem; fileId: string; size: string }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const { percent } = useFormat();
  const { data: file } = useQuery({ ...fileQuery(fileId), enabled: fileId !== '' });
  if (file?.state === 'failed') return <Trouble text={reasonText(file.failure ?? 'unreadable')} />;
  if (file?.state === 'processing') {
    const share = file.progress === null ? undefined : file.progress / 100;
    return (
      <>
        <Bar label={common('progressOf', { name })} share={share} />
        <Told>
          {share !== undefined && <b>{percent(share)}</b>}
          <span>{t('processing')}</span>
        </Told>
      </>
    );
  }
  return (
    <>
      <Told tone="good">
        <CheckIcon />
        <b>{file ? t('ready') : t('uploaded')}</b>
        <span>{size}</span>
        {file && target.kind === undefined && <Became file={file} />}
      </Told>
      {file?.warning && <Note text={reasonText(file.warning)} />}
    </>
  );
}

/** What the content of a file made of it. */
function Became({ file }: { file: MediaFile }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const kind = fileKind(file.orientation, file.kind);
  return (
    <span>
      {kind && t(kindText(kind))} · {common(file.orientation)}
    </span>
  );
}

/** Pause, resume or try again, and remove. */
function Buttons({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const { id, name, state } = item;
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
    <>
      {started && (
        <IconButton label={common('pauseFile', { name })} icon={<PauseIcon />} onClick={() => uploads.pause(id)} />
      )}
      {state.kind === 'paused' && (
        <IconButton label={common('resumeFile', { name })} icon={<PlayIcon />} onClick={() => uploads.resume(id)} />
      )}
      {canRetry(item) && (
        <IconButton label={common('retryFile', { name })} icon={<ReloadIcon />} onClick={() => uploads.resume(id)} />
      )}
      <IconButton label={t('removeFile', { name })} icon={<CrossIcon />} onClick={remove} />
    </>
  );
}
