import { proofFileName, type StatementPeriod } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { download } from '../platform/api.ts';
import { proofAddress } from '../queries/campaigns.ts';
import { Button } from '../ui/layout/Button.tsx';
import { ShieldIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import style from './campaigns.module.css';

const WHOLE_FLIGHT: StatementPeriod = {};

interface ProofCardProps {
  campaign: { id: string; name: string };
  /** Of the statement whose amount the file holds; left out: the whole flight. */
  period?: StatementPeriod;
}

/** The signed plays of a campaign as a file, and the page that checks it. */
export function ProofCard({ campaign: { id, name }, period = WHOLE_FLIGHT }: ProofCardProps) {
  const { t } = useTranslation('campaigns');
  return (
    <Card title={t('proof')}>
      <p className="caption">{t('proofHint')}</p>
      <div className={style.proof}>
        <Button
          small
          icon={<ShieldIcon />}
          onClick={() => download(proofAddress(id, period), proofFileName(name, period))}
        >
          {t('proofDownload')}
        </Button>
        <a href="/share/verify" target="_blank" rel="noreferrer">
          {t('proofCheck')}
        </a>
      </div>
    </Card>
  );
}
