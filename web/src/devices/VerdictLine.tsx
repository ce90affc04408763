import { type DeviceVerdict, type DeviceVerdictKind, DOWNLOAD_FAILURES } from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/Notice.tsx';
import {
  CheckIcon,
  ClockIcon,
  ExpiredIcon,
  FailIcon,
  MoonIcon,
  WifiOffIcon,
  PlaylistIcon,
} from '../ui/layout/icons.ts';
import { failureText, useDarkWords } from './Truths.tsx';

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
