import type { ImportResult, RejectedRow } from '@ams/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { save } from '../../platform/api.ts';
import { contractMessages } from '../../platform/i18n.ts';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { CheckIcon, DownIcon, FailIcon } from '../../ui/layout/icons.ts';
import { VirtualRows } from '../../ui/list/VirtualRows.tsx';
import { rejectedCsv } from './rejected.ts';
import style from './sheets.module.css';

interface ImportReportProps {
  result: ImportResult;
  onAgain: () => void;
  onClose: () => void;
}

/** How many devices went in, and every row that did not with its reason. */
export function ImportReport({ result: { added, rejected }, onAgain, onClose }: ImportReportProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  return (
    <>
      <div className={style.sums} role="status">
        <Sum tone="good" count={added} text={t('addedDevices', { count: added })} />
        <Sum
          tone={rejected.length > 0 ? 'bad' : 'none'}
          count={rejected.length}
          text={t('rejectedRows', { count: rejected.length })}
        />
      </div>
      {rejected.length > 0 && <Rejected rows={rejected} />}
      <ButtonRow>
        <Button onClick={onAgain}>{t('anotherSheet')}</Button>
        <Button look="primary" takesFocus onClick={onClose}>
          {common('done')}
        </Button>
      </ButtonRow>
    </>
  );
}

function Sum({ tone, count, text }: { tone: 'good' | 'bad' | 'none'; count: number; text: string }) {
  const { number } = useFormat();
  return (
    <p className={style.sum} data-tone={tone}>
      {tone === 'bad' ? <FailIcon /> : <CheckIcon />}
      <strong className="numbers">{number(count)}</strong>
      <span>{text}</span>
    </p>
  );
}

function Rejected({ rows }: { rows: RejectedRow[] }) {
  const { t } = useTranslation('devices');
  const box = useRef<HTMLDivElement>(null);
  const saveRows = () => {
    const { mac, name, owner, expires, tags, area, address } = contractMessages().sheets;
    const csv = rejectedCsv([mac, name, owner, expires, tags, area, address, t('rejectedReason')], rows);
    save(new Blob([csv], { type: 'text/csv' }), 'rejected rows.csv');
  };
  return (
    <>
      <div className={style.listHead}>
        <p className="caption">{t('rejectedHint')}</p>
        <Button small icon={<DownIcon />} onClick={saveRows}>
          {t('downloadRejected')}
        </Button>
      </div>
      {/* Scrolls by itself, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={style.list} ref={box} tabIndex={0} role="region" aria-label={t('rejectedList')}>
        <VirtualRows
          items={rows.map((row) => ({ ...row, id: String(row.row) }))}
          label={t('rejectedList')}
          rowHeight={56}
          box={box}
          complete
          ready
          onEnd={() => undefined}
          render={(row) => <RejectedLine row={row} />}
        />
      </div>
    </>
  );
}

function RejectedLine({ row }: { row: RejectedRow }) {
  const { t } = useTranslation('devices');
  const { number } = useFormat();
  return (
    <div className={style.line}>
      <span className={style.row}>{t('sheetRow', { row: number(row.row) })}</span>
      <div>
        <p className={style.what}>
          {row.mac !== '' && <span className={`device ${style.mac}`}>{row.mac}</span>}
          {row.name !== '' && <bdi className="caption">{row.name}</bdi>}
        </p>
        <p className={style.why}>{row.message}</p>
      </div>
    </div>
  );
}
