import { type Device, type DeviceVerdict, type DeviceVerdictKind, DOWNLOAD_FAILURES } from '@ams/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { retryOn } from '../queries/releases.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import {
  CheckIcon,
  ClockIcon,
  ExpiredIcon,
  FailIcon,
  MoonIcon,
  WifiOffIcon,
  PlaylistIcon,
  ReloadIcon,
} from '../ui/layout/icons.ts';
import { askToRestart } from './actions.ts';
import { DeviceExpirySheet } from './DeviceExpirySheet.tsx';
import { failureText, useDarkWords } from './Truths.tsx';
import style from './Verdict.module.css';

const TEXTS = {
  offline: 'verdictOffline',
  expired: 'verdictExpired',
  dark: undefined,
  failed: undefined,
  nothing: 'verdictNothing',
  later: 'verdictLater',
  downloading: 'verdictDownloading',
  finished: 'verdictFinished',
  plays: 'verdictPlays',
} as const satisfies Record<DeviceVerdictKind, string | undefined>;

const LOOKS: Record<DeviceVerdictKind, { tone: 'bad' | 'primary' | 'good'; icon: ReactNode }> = {
  offline: { tone: 'bad', icon: <WifiOffIcon /> },
  expired: { tone: 'bad', icon: <ExpiredIcon /> },
  dark: { tone: 'primary', icon: <MoonIcon /> },
  failed: { tone: 'bad', icon: <FailIcon /> },
  nothing: { tone: 'primary', icon: <PlaylistIcon /> },
  later: { tone: 'primary', icon: <ClockIcon /> },
  downloading: { tone: 'primary', icon: <ClockIcon /> },
  finished: { tone: 'primary', icon: <ClockIcon /> },
  plays: { tone: 'good', icon: <CheckIcon /> },
};

const ADVICE = {
  diskFull: 'adviceDiskFull',
  checksum: 'adviceDownload',
  unreachable: 'adviceDownload',
  cannotPlay: 'adviceCannotPlay',
  storage: 'adviceStorage',
  appFailed: 'adviceStorage',
} as const satisfies Record<(typeof DOWNLOAD_FAILURES)[number], string>;

/** The one verdict on a device, in a line; a failure with what to do about it. */
export function VerdictLine({ verdict, timeZone }: { verdict: DeviceVerdict; timeZone: string }) {
  const { t } = useTranslation('devices');
  const dark = useDarkWords();
  const { tone, icon } = LOOKS[verdict.kind];
  const text = TEXTS[verdict.kind];
  const known = DOWNLOAD_FAILURES.find((reason) => reason === verdict.reason);
  return (
    <div data-testid="verdict" data-verdict={verdict.kind}>
      <Notice tone={tone} icon={icon}>
        {text && t(text)}
        {verdict.kind === 'dark' && dark(verdict, timeZone)}
        {verdict.kind === 'failed' && (
          <strong>{failureText({ state: 'failed', reason: verdict.reason ?? '' })}. </strong>
        )}
        {known && t(ADVICE[known])}
      </Notice>
    </div>
  );
}

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
