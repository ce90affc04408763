import type { App } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../ui/Button.tsx';
import { useFormat } from '../ui/format.ts';
import { CrossIcon, FailIcon } from '../ui/icons.tsx';
import { Facts } from '../ui/Page.tsx';
import { StateBadge } from '../ui/StateBadge.tsx';
import { AppIcon } from './AppIcon.tsx';
import { type ApkUpload, apkUpload } from './upload.ts';
import style from './apps.module.css';

/** How far the APK is, why it stopped, or what it says of itself. */
export function ApkProgress({ upload }: { upload: Exclude<ApkUpload, { kind: 'none' }> }) {
  if (upload.kind === 'done') return <Arrived app={upload.app} />;
  if (upload.kind === 'sending') return <Sending {...upload} />;
  return <Stopped {...upload} />;
}

function Sending({ file, sent }: Extract<ApkUpload, { kind: 'sending' }>) {
  const { t, i18n } = useTranslation('apps');
  const { t: common } = useTranslation();
  const { bytes } = useFormat();
  const share = Math.min(1, sent / file.size);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(Math.floor(share * 100) / 100);
  const complete = sent >= file.size;
  return (
    <div className={style.row}>
      <AppIcon src={null} />
      <div className={style.words}>
        <strong>{file.name}</strong>
        <div
          className={style.bar}
          role="progressbar"
          aria-label={file.name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(share * 100)}
        >
          <i style={{ inlineSize: `${share * 100}%` }} />
        </div>
        <p className={style.told} role={complete ? 'status' : undefined}>
          <span>{complete ? t('reading') : percent}</span>
          <span>{t('sentOf', { sent: bytes(sent), total: bytes(file.size) })}</span>
        </p>
      </div>
      <IconButton label={common('cancel')} icon={<CrossIcon />} onClick={apkUpload.stop} />
    </div>
  );
}

function Stopped({ file, message, mayGoOn }: Extract<ApkUpload, { kind: 'failed' }>) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  return (
    <div className={`${style.row} ${style.stopped}`} role="alert">
      <span className={`${style.icon} ${style.bad}`}>
        <FailIcon />
      </span>
      <div className={style.words}>
        <strong>{file.name}</strong>
        <p className={style.trouble}>
          {t('failed')}: {message}
        </p>
      </div>
      <Button small onClick={mayGoOn ? apkUpload.again : apkUpload.stop}>
        {mayGoOn ? common('retry') : t('chooseAnother')}
      </Button>
    </div>
  );
}

function Arrived({ app }: { app: App }) {
  const { t } = useTranslation('apps');
  const { bytes } = useFormat();
  const machineWord = (word: string | number) => <span className="machine">{word}</span>;
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
          [t('package'), machineWord(app.package)],
          [t('version'), machineWord(app.version)],
          [t('code'), machineWord(app.code)],
          [t('size'), bytes(app.bytes)],
        ]}
      />
    </>
  );
}
