import { type ImportResult, SHEET_FORMATS, SHEET_MAX_BYTES, SHEET_MAX_ROWS } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { numberFormat } from '../../platform/intl.ts';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { DropZone } from '../../ui/form/DropZone.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { DownIcon, FailIcon, TableIcon } from '../../ui/layout/icons.ts';
import { ImportReport } from './ImportReport.tsx';
import { downloadTemplate } from '../../queries/devices.ts';
import { importSheet } from './import.ts';
import style from './sheets.module.css';

type State =
  | { at: 'choosing' }
  | { at: 'failed'; file: File; message: string }
  | { at: 'sending'; file: File; share: number }
  | { at: 'done'; file: File; result: ImportResult };

/** Adds the devices of a spreadsheet and lists every row that was not added. */
export function ImportSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { state, send, again } = useImport();
  return (
    <Dialog kind="sheet" title={t('import')} onClose={onClose}>
      {state.at === 'choosing' && <Choosing onChoose={send} />}
      {state.at === 'failed' && <Failed {...state} onAgain={again} />}
      {state.at === 'sending' && <Sending {...state} />}
      {state.at === 'done' && <ImportReport result={state.result} onAgain={again} onClose={onClose} />}
    </Dialog>
  );
}

function useImport() {
  const [state, setState] = useState<State>({ at: 'choosing' });
  const { bytes } = useFormat();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const send = async (file: File) => {
    if (file.size > SHEET_MAX_BYTES) {
      const message = fillMessage(contractMessages().errors.TOO_LARGE, { limit: bytes(SHEET_MAX_BYTES) });
      return setState({ at: 'failed', file, message });
    }
    stop.current = new AbortController();
    const { signal } = stop.current;
    setState({ at: 'sending', file, share: 0 });
    const told = (share: number) => setState({ at: 'sending', file, share });
    const imported = await importSheet(file, told, signal);
    if (signal.aborted) return;
    if (imported.kind === 'failed') setState({ at: 'failed', file, message: imported.message });
    else setState({ at: 'done', file, result: imported.result });
  };
  return { state, send: (file: File) => void send(file), again: () => setState({ at: 'choosing' }) };
}

function Choosing({ onChoose }: { onChoose: (file: File) => void }) {
  const { t } = useTranslation('devices');
  const { bytes, number } = useFormat();
  const take = ([file]: readonly File[]) => file && onChoose(file);
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

function Sending({ file, share }: Extract<State, { at: 'sending' }>) {
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

function Failed({ file, message, onAgain }: Extract<State, { at: 'failed' }> & { onAgain: () => void }) {
  const { t } = useTranslation('devices');
  return (
    <>
      <div className={style.failed} role="alert">
        <FailIcon />
        <strong>{t('importFailed')}</strong>
        <bdi className="caption">{file.name}</bdi>
        <p>{message}</p>
      </div>
      <ButtonRow>
        <Button icon={<DownIcon />} onClick={downloadTemplate}>
          {t('template')}
        </Button>
        <Button look="primary" takesFocus onClick={onAgain}>
          {t('anotherSheet')}
        </Button>
      </ButtonRow>
    </>
  );
}
