import type { App } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../ui/layout/Button.tsx';
import { useFormat } from '../ui/format/format.ts';
import { CrossIcon, PauseIcon, PlayIcon } from '../ui/layout/icons.ts';
import { Facts } from '../ui/layout/Page.tsx';
import { StateBadge } from '../ui/feedback/StateBadge.tsx';
import { Bar } from '../ui/transfer/Bar.tsx';
import { Going } from '../ui/transfer/Going.tsx';
import { Told, TransferRow, Trouble } from '../ui/transfer/TransferRow.tsx';
import { AppIcon } from './AppIcon.tsx';
import { type ApkUpload, apkUpload } from './upload.ts';
import style from './apps.module.css';

/** The progress of the APK, the reason why it stopped, or its package and version. */
export function ApkProgress({ upload }: { upload: Exclude<ApkUpload, { kind: 'none' }> }) {
  if (upload.kind === 'done') return <Arrived app={upload.app} />;
  if (upload.kind === 'sending') return <Sending {...upload} />;
  if (upload.kind === 'paused') return <Paused {...upload} />;
  return <Stopped {...upload} />;
}

function Sending({ file, sent, pace, interrupted }: Extract<ApkUpload, { kind: 'sending' }>) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  const { name, size } = file;
  return (
    <TransferRow
      inside
      picture={<AppIcon src={null} />}
      name={name}
      buttons={
        <>
          <IconButton label={common('pauseFile', { name })} icon={<PauseIcon />} onClick={apkUpload.pause} />
          <IconButton label={common('cancel')} icon={<CrossIcon />} onClick={apkUpload.stop} />
        </>
      }
    >
      <Bar label={common('progressOf', { name })} share={sent / size} />
      <Going sent={sent} size={size} pace={pace} interrupted={interrupted} finishing={t('reading')} />
    </TransferRow>
  );
}

function Paused({ file, sent }: Extract<ApkUpload, { kind: 'paused' }>) {
  const { t } = useTranslation();
  const { bytes, percent } = useFormat();
  const { name, size } = file;
  return (
    <TransferRow
      inside
      picture={<AppIcon src={null} />}
      name={name}
      buttons={
        <>
          <IconButton label={t('resumeFile', { name })} icon={<PlayIcon />} onClick={apkUpload.goOn} />
          <IconButton label={t('cancel')} icon={<CrossIcon />} onClick={apkUpload.stop} />
        </>
      }
    >
      <Bar label={t('progressOf', { name })} share={sent / size} paused />
      <Told>
        <b>{percent(sent / size)}</b>
        <span>{t('paused')}</span>
        <span>{t('sentOf', { sent: bytes(sent), total: bytes(size) })}</span>
      </Told>
    </TransferRow>
  );
}

function Stopped({ file, message, mayGoOn }: Extract<ApkUpload, { kind: 'failed' }>) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  return (
    <TransferRow
      inside
      picture={<AppIcon src={null} />}
      name={file.name}
      buttons={null}
      below={
        <Button small block onClick={mayGoOn ? apkUpload.goOn : apkUpload.stop}>
          {mayGoOn ? common('retry') : t('chooseAnother')}
        </Button>
      }
    >
      <Trouble title={common('uploadFailed')} text={message} />
    </TransferRow>
  );
}

function Arrived({ app }: { app: App }) {
  const { t } = useTranslation('apps');
  const { bytes } = useFormat();
  const deviceWord = (word: string | number) => <span className="device">{word}</span>;
  return (
    <>
      <div className={style.row} role="status">
        <AppIcon src={app.icon} large />
        <div className={style.words}>
          <strong>{app.name}</strong>
          <span>
            <StateBadge state="done" text={t('uploaded')} />
          </span>
        </div>
      </div>
      <Facts
        rows={[
          [t('package'), deviceWord(app.package)],
          [t('version'), deviceWord(app.version)],
          [t('code'), deviceWord(app.code)],
          [t('size'), bytes(app.bytes)],
        ]}
      />
    </>
  );
}
