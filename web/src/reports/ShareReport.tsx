import type { ReportQuery } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { createShare, revokeShare, sharesQuery } from '../queries/shares.ts';
import { ShareSheet } from '../ui/share/ShareSheet.tsx';

/** Makes a link to a report. */
export function ShareReport({ report, onClose }: { report: ReportQuery; onClose: () => void }) {
  const { t } = useTranslation('reports');
  return (
    <ShareSheet
      title={t('shareTitle')}
      hint={t('shareHint')}
      query={sharesQuery()}
      create={(days) => createShare({ subject: { kind: 'report', report }, days })}
      revoke={revokeShare}
      onClose={onClose}
    />
  );
}
