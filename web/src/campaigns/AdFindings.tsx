import type { AdFinding, FindingKind } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { adChecksQuery } from '../queries/ads.ts';
import { ErrorState } from '../ui/feedback/States.tsx';
import { formatDuration } from '../ui/format/format.ts';
import { FailIcon } from '../ui/layout/icons.ts';
import style from './campaigns.module.css';

/** Passages of a finding that are listed; the number of the others follows. */
const PASSAGES_SHOWN = 3;

const TEXT = {
  black: 'findingBlack',
  frozen: 'findingFrozen',
  silent: 'findingSilent',
  tooLoud: 'findingTooLoud',
  flashing: 'findingFlashing',
  tooSmall: 'findingTooSmall',
} as const satisfies Record<FindingKind, string>;

/** What content checks find in the files of an ad. */
export function AdFindings({ adId, version }: { adId: string; version: string | undefined }) {
  const { t } = useTranslation('campaigns');
  // The stage asked first. After a failure, a further call would hide the failure until it fails, too.
  const { data, error, refetch } = useQuery({ ...adChecksQuery(adId, version), retryOnMount: false });
  if (!data) return error && <ErrorState error={error} onRetry={() => refetch()} />;
  const { state, findings } = data;
  return (
    <div className={style.findings} data-testid="findings">
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={`${finding.region} ${finding.file.id} ${finding.kind}`}>
              <FailIcon />
              <FindingText finding={finding} />
            </li>
          ))}
        </ul>
      )}
      {state === 'pending' && <p>{t('checksPending')}</p>}
      {state === 'incomplete' && <p>{t('checksIncomplete')}</p>}
      {state === 'complete' && findings.length === 0 && <p>{t('checksClear')}</p>}
    </div>
  );
}

function FindingText({ finding: { kind, passages, file } }: { finding: AdFinding }) {
  const { t } = useTranslation('campaigns');
  const shown = passages.slice(0, PASSAGES_SHOWN);
  const lines = shown.map(({ fromMs, toMs }) =>
    t(TEXT[kind], { from: formatDuration(fromMs), to: formatDuration(toMs) }),
  );
  const more = passages.length - shown.length;
  return (
    <span>
      <bdi>{file.name}</bdi>
      {kind === 'tooSmall' ? <span>{t(TEXT.tooSmall)}</span> : lines.map((line) => <span key={line}>{line}</span>)}
      {more > 0 && <span>+{more}</span>}
    </span>
  );
}
