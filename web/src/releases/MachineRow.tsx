import type { ReleaseDevice } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { contractMessages } from '../platform/i18n.ts';
import { useFormat } from '../ui/format.ts';
import { FailIcon } from '../ui/icons.tsx';
import { StateBadge } from '../ui/StateBadge.tsx';
import style from './releases.module.css';

const percentOf = ({ doneBytes, totalBytes }: ReleaseDevice): number =>
  totalBytes > 0 ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : 0;

/** The machine's reason in a person's words; its own word when it is a new one. */
function reasonText(reason: string): string {
  const words: Partial<Record<string, string>> = contractMessages().downloads;
  return words[reason] ?? reason;
}

/** One machine of a release and how far it is. */
export function MachineRow({ machine }: { machine: ReleaseDevice }) {
  const { t } = useTranslation('releases');
  const { bytes } = useFormat();
  const { state } = machine;
  const percent = percentOf(machine);
  return (
    <Link
      to={`/mac/${machine.id}`}
      className={style.machine}
      data-testid="release-device"
      data-mac={machine.mac}
      data-state={state}
    >
      <span className={style.machineName}>
        <strong dir="auto">{machine.name || <span className="machine">{machine.mac}</span>}</strong>
        {machine.name && <span className="caption machine">{machine.mac}</span>}
      </span>
      <span className={style.machineBadges}>
        {state === 'downloading' ? (
          <StateBadge state="processing" text={t('downloadingPercent', { percent })} />
        ) : (
          <StateBadge state={state} />
        )}
        {state !== 'done' && !machine.online && <StateBadge state="offline" />}
      </span>
      {state === 'downloading' && (
        <span className={style.download}>
          <span className={style.track}>
            <i style={{ width: `${percent}%` }} />
          </span>
          <span className="caption numbers">
            {t('bytesOf', { done: bytes(machine.doneBytes), total: bytes(machine.totalBytes) })}
          </span>
        </span>
      )}
      {state === 'failed' && machine.reason && (
        <span className={style.reason}>
          <FailIcon />
          {reasonText(machine.reason)}
        </span>
      )}
    </Link>
  );
}
