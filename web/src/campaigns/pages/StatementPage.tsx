import { type Statement, type StatementPeriod, statementFileName } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { download } from '../../platform/api.ts';
import { contractMessages } from '../../platform/i18n.ts';
import { foundIn } from '../../platform/query.ts';
import { shareStatement, statementAddress, statementQuery } from '../../queries/campaigns.ts';
import { revokeShare, sharesQuery } from '../../queries/shares.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { useAddressFilter } from '../../ui/layout/address.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { PrintIcon, ShareIcon, TableIcon } from '../../ui/layout/icons.ts';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { ShareSheet } from '../../ui/share/ShareSheet.tsx';
import { usePrinting } from '../../ui/layout/printing.ts';
import { ProofCard } from '../ProofCard.tsx';
import style from '../statement.module.css';
import { StatementSummary } from '../StatementSummary.tsx';
import { StatementTables } from '../StatementTables.tsx';

const dayOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/** `/campaigns/:id/statement`: what was ordered and delivered, and what it costs, made to be printed. */
export default function StatementPage() {
  const { t } = useTranslation('campaigns');
  const { id = '' } = useParams();
  const address = useAddressFilter(['from', 'to']);
  const period = { from: dayOf(address.values.from), to: dayOf(address.values.to) };
  const isReversed = period.from !== undefined && period.to !== undefined && period.from > period.to;
  const asked = useQuery({ ...statementQuery(id, period), enabled: !isReversed });
  const statement = foundIn(asked);
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Page title={t('statement')} back={`/campaigns/${id}`}>
      <div className={style.statement}>
        <PeriodCard period={period} shown={statement} onChange={address.set}>
          {isReversed && (
            <p className={style.fault} role="alert">
              {contractMessages().rules['schedule.order']}
            </p>
          )}
          {statement && <Exports statement={statement} period={period} isOfPeriod={!asked.isPlaceholderData} />}
        </PeriodCard>
        {statement ? (
          <>
            <StatementSummary statement={statement} />
            <StatementTables statement={statement} isWhole={isWhole} onWhole={() => setIsWhole(true)} />
            <div className={style.screenOnly}>
              <ProofCard campaign={statement.campaign} period={period} />
            </div>
          </>
        ) : asked.error ? (
          <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
        ) : (
          <Skeleton height={420} />
        )}
      </div>
    </Page>
  );
}

interface PeriodCardProps {
  period: StatementPeriod;
  shown: Statement | undefined;
  onChange: (period: StatementPeriod) => void;
  children: ReactNode;
}

/** The days that are chosen; none chosen: those of the whole flight. */
function PeriodCard({ period, shown, onChange, children }: PeriodCardProps) {
  const { t } = useTranslation('reports');
  return (
    <div className={style.screenOnly}>
      <Card>
        <div className={style.dates}>
          {(['from', 'to'] as const).map((end) => (
            <FieldFrame key={end} id={`statement-${end}`} label={t(end)}>
              <TextControl
                id={`statement-${end}`}
                type="date"
                value={period[end] ?? shown?.[end] ?? ''}
                onChange={(date) => onChange({ [end]: date })}
              />
            </FieldFrame>
          ))}
        </div>
        {children}
      </Card>
    </div>
  );
}

interface ExportsProps {
  statement: Statement;
  period: StatementPeriod;
  /** False while it is that of the days that were chosen before. */
  isOfPeriod: boolean;
}

/** Ways to take the statement along. */
function Exports({ statement, period, isOfPeriod }: ExportsProps) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { t: reports } = useTranslation('reports');
  const [sharing, setSharing] = useState(false);
  const { id } = statement.campaign;
  const name = statementFileName(statement);
  const appTitle = common('appTitle');
  // Browsers print to a file with the title of the document.
  const isPrinting = usePrinting();
  useLayoutEffect(() => {
    document.title = isPrinting ? name : appTitle;
  }, [isPrinting, name, appTitle]);
  return (
    <div className={style.exports}>
      <Button small icon={<PrintIcon />} disabled={!isOfPeriod} onClick={() => window.print()}>
        {t('statementPrint')}
      </Button>
      <Button
        small
        icon={<TableIcon />}
        disabled={!isOfPeriod}
        onClick={() => download(statementAddress(id, period), `${name}.xls`)}
      >
        {reports('export', { format: '.xls' })}
      </Button>
      <Button changes small icon={<ShareIcon />} disabled={!isOfPeriod} onClick={() => setSharing(true)}>
        {reports('shareReport')}
      </Button>
      {sharing && (
        <ShareSheet
          title={t('statement')}
          hint={t('statementShareHint')}
          query={sharesQuery()}
          create={(days) => shareStatement(id, { ...period, days })}
          revoke={revokeShare}
          onClose={() => setSharing(false)}
        />
      )}
    </div>
  );
}
