import type { Release, ReleaseDevice } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { contractMessages } from '../platform/i18n.ts';
import { Button } from '../ui/Button.tsx';
import { useFormat } from '../ui/format.ts';
import { FailIcon, ReloadIcon } from '../ui/icons.tsx';
import { StateBadge } from '../ui/StateBadge.tsx';
import { tryAgain } from './actions.ts';
import style from './releases.module.css';

const percentOf = ({ doneBytes, totalBytes }: ReleaseDevice): number =>
  totalBytes > 0 ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : 0;

/** The machine's reason in a person's words; its own word when it is a new one. */
function reasonText(reason: string): string {
  const words: Partial<Record<string, string>> = contractMessages().downloads;
  return words[reason] ?? reason;
}

/** One machine of a release and how far it is; one that failed may be told to try again. */
export function MachineRow({ machine, release }: { machine: ReleaseDevice; release: Release }) {
  const { t } = useTranslation('releases');
  const { state } = machine;
  return (
    <div className={style.machine} data-testid="release-device" data-mac={machine.mac} data-state={state}>
      <Link to={`/mac/${machine.id}`} className={style.machineLink}>
        <span className={style.machineName}>
          <strong dir="auto">{machine.name || <span className="machine">{machine.mac.toUpperCase()}</span>}</strong>
          {machine.name && <span className="caption machine">{machine.mac.toUpperCase()}</span>}
        </span>
        <span className={style.machineBadges}>
          {state === 'downloading' ? (
            <StateBadge state="processing" text={t('downloadingPercent', { percent: percentOf(machine) })} />
          ) : (
            <StateBadge state={state} />
          )}
          {state !== 'done' && !machine.online && <StateBadge state="offline" />}
        </span>
        {state === 'downloading' && <Download machine={machine} />}
      </Link>
      {state === 'failed' && (
        <span className={style.failure}>
          <span className={style.reason}>
            <FailIcon />
            {reasonText(machine.reason ?? '')}
          </span>
          {release.withdrawnAt === null && <TryAgain release={release} machine={machine} />}
        </span>
      )}
    </div>
  );
}

function Download({ machine }: { machine: ReleaseDevice }) {
  const { t } = useTranslation('releases');
  const { bytes } = useFormat();
  return (
    <span className={style.download}>
      <span className={style.track}>
        <i style={{ width: `${percentOf(machine)}%` }} />
      </span>
      <span className="caption numbers">
        {t('bytesOf', { done: bytes(machine.doneBytes), total: bytes(machine.totalBytes) })}
      </span>
    </span>
  );
}

function TryAgain({ release, machine }: { release: Release; machine: ReleaseDevice }) {
  const { t } = useTranslation('releases');
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await tryAgain(release.id, machine.id);
    setBusy(false);
  };
  return (
    <Button small icon={<ReloadIcon />} loading={busy} onClick={() => void run()}>
      {t('tryAgain')}
    </Button>
  );
}
