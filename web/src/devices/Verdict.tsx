import type { Device } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { retryOn } from '../queries/releases.ts';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import { ReloadIcon } from '../ui/layout/icons.ts';
import { askToRestart } from './actions.ts';
import { DeviceExpirySheet } from './DeviceExpirySheet.tsx';
import style from './Verdict.module.css';
import { VerdictLine } from './VerdictLine.tsx';

/** The verdict on a device, with the action that solves it. */
export function DeviceVerdictCard({ device }: { device: Device }) {
  return (
    <div className={style.verdict}>
      <VerdictLine verdict={device.verdict} timeZone={device.timeZone} />
      <Action device={device} />
    </div>
  );
}

function Action({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { t: ads } = useTranslation('ads');
  const { leading } = useSession();
  const [extending, setExtending] = useState(false);
  const { kind, reason } = device.verdict;
  switch (kind) {
    case 'expired':
      if (!leading) return null;
      return (
        <>
          <Button changes small onClick={() => setExtending(true)}>
            {t('setExpiry')}
          </Button>
          {extending && <DeviceExpirySheet device={device} onClose={() => setExtending(false)} />}
        </>
      );
    case 'failed':
      return reason === 'storage' ? (
        <Button changes small icon={<ReloadIcon />} onClick={() => askToRestart(device)}>
          {t('restart')}
        </Button>
      ) : (
        <Button changes small icon={<ReloadIcon />} onClick={() => retryOn(device.id)}>
          {common('retry')}
        </Button>
      );
    case 'nothing':
    case 'finished':
      return (
        <ButtonLink small to="/ad">
          {ads('chooseAd')}
        </ButtonLink>
      );
    case 'offline':
    case 'dark':
    case 'later':
    case 'downloading':
    case 'plays':
      return null;
  }
}
