import type { FailedDevice } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/layout/Button.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { StateBadge } from '../../ui/feedback/StateBadge.tsx';
import { Mac } from '../../ui/layout/DeviceLabel.tsx';
import style from './batch.module.css';
import type { Outcome } from './useBatch.ts';
import { batchTitle, failureReason } from './words.ts';

interface BatchResultProps {
  outcome: Outcome;
  onUndo: (undo: string) => void;
  onClose: () => void;
}

/** Result of a batch, with every unchanged device and the reason. */
export function BatchResult({ outcome, onUndo, onClose }: BatchResultProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const { action, done, failed, failedCount, undo } = outcome;
  return (
    <Dialog kind="sheet" title={batchTitle(action, done + failedCount)} onClose={onClose}>
      <p className={style.sums}>
        <StateBadge state="done" text={`${common('stateDone')} ${number(done)}`} />
        {failedCount > 0 && <StateBadge state="failed" text={`${common('stateFailed')} ${number(failedCount)}`} />}
      </p>
      {failed.length > 0 && (
        // Long lists scroll in here, also by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={style.failed} tabIndex={0} aria-label={common('stateFailed')}>
          {failed.map((device) => (
            <Failure key={device.id} device={device} />
          ))}
        </ul>
      )}
      {failedCount > failed.length && <p className="caption">{t('failedFirst', { total: number(failed.length) })}</p>}
      {undo !== undefined && (
        <Button block onClick={() => onUndo(undo)}>
          {common('undo')}
        </Button>
      )}
      <Button look="primary" block onClick={onClose}>
        {common('close')}
      </Button>
    </Dialog>
  );
}

/** A device out of scope has neither name nor MAC here: only the id that was given. */
function Failure({ device }: { device: FailedDevice }) {
  const { name, mac, id } = device;
  return (
    <li>
      {name && <strong dir="auto">{name}</strong>}
      {mac ? <Mac mac={mac} /> : <span className="device">{id}</span>}
      <span className={style.reason}>{failureReason(device)}</span>
    </li>
  );
}
