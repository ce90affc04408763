import { SHEET_FORMATS, SHEET_MAX_BYTES, SHEET_MAX_ROWS } from '@ams/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { numberFormat } from '../../platform/intl.ts';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { DropZone } from '../../ui/form/DropZone.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { DownIcon, FailIcon, ReloadIcon, TableIcon } from '../../ui/layout/icons.ts';
import { ImportReport } from './ImportReport.tsx';
import { downloadTemplate } from '../../queries/devices.ts';
import { forgetImport, type Importing, sheetClosed, sheetOpened, startImport, useImporting } from './importing.ts';
import style from './sheets.module.css';

/** Adds the devices of a spreadsheet and lists every row that was not added. */
export function ImportSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('devices');
  const state = useImporting();
  useEffect(() => {
    sheetOpened();
    return sheetClosed;
  }, []);
  return (
    <Dialog kind="sheet" title={t('import')} onClose={onClose}>
      {state.at === 'choosing' && <Choosing />}
      {state.at === 'failed' && <Failed failed={state} />}
      {state.at === 'sending' && <Sending {...state} />}
      {state.at === 'done' && <ImportReport result={state.result} onAgain={forgetImport} onClose={onClose} />}
    </Dialog>
  );
}

function Choosing() {
  const { t } = useTranslation('devices');
  const { bytes, number } = useFormat();
  const take = ([file]: readonly File[]) => void (file && startImport(file));
  return (
    <>
      <p className={style.intro}>{t('importIntro')}</p>
      <DropZone className={style.picker} onDrop={take}>
        <TableIcon />
        <FileButton name="sheet" look="primary" takesFocus accept={SHEET_FORMATS.join(',')} onChoose={take}>
          {t('chooseSheet')}
        </FileButton>
        <p className="caption">
          {t('sheetLimits', {
            formats: SHEET_FORMATS.join(' '),
            size: bytes(SHEET_MAX_BYTES),
            rows: number(SHEET_MAX_ROWS),
          })}
        </p>
      </DropZone>
      <Button icon={<DownIcon />} block onClick={downloadTemplate}>
        {t('template')}
      </Button>
    </>
  );
}

function Sending({ file, share }: Extract<Importing, { at: 'sending' }>) {
  const { t, i18n } = useTranslation('devices');
  const percent = numberFormat(i18n.language, { style: 'percent' }).format(Math.floor(share * 100) / 100);
  const sent = share >= 1;
  return (
    <div className={style.sending}>
      <TableIcon />
      <strong>
        <bdi>{file.name}</bdi>
      </strong>
      <progress value={sent ? undefined : share} max={1} aria-label={file.name} />
      <p className="caption" role="status">
        {sent ? t('readingSheet') : t('sendingSheet', { percent })}
      </p>
    </div>
  );
}

function Failed({ failed }: { failed: Extract<Importing, { at: 'failed' }> }) {
  const { file, key, message, isUnknown } = failed;
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  return (
    <>
      <div className={style.failed} role="alert">
        <FailIcon />
        <strong>{isUnknown ? t('importUnknown') : t('importFailed')}</strong>
        <bdi className="caption">{file.name}</bdi>
        <p>{message}</p>
        {isUnknown && <p>{t('importUnknownHint')}</p>}
      </div>
      {isUnknown ? (
        <Button look="primary" block takesFocus icon={<ReloadIcon />} onClick={() => void startImport(file, key)}>
          {common('retry')}
        </Button>
      ) : (
        <ButtonRow>
          <Button icon={<DownIcon />} onClick={downloadTemplate}>
            {t('template')}
          </Button>
          <Button look="primary" takesFocus onClick={forgetImport}>
            {t('anotherSheet')}
          </Button>
        </ButtonRow>
      )}
    </>
  );
}
