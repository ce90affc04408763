import { localTime, type PlaysFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { browserZone } from '../../platform/intl.ts';
import { useSession } from '../../platform/session.ts';
import { playHistoryQuery } from '../../queries/reports.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { oneOf } from '../../ui/layout/address.ts';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { useNow } from '../../ui/format/time.tsx';
import { PlayHistory } from '../PlayHistory.tsx';
import { Groups } from '../Groups.tsx';
import { useReportAddress } from '../address.ts';
import { faultOf, rangeOf, RANGES } from '../range.ts';
import style from '../reports.module.css';

/** The date of the devices, which may not be the reader's. */
function useToday(subjects: PlaysFilter, isNeeded: boolean): { today: string; isKnown: boolean } {
  const here = localTime(useNow(), browserZone()).date;
  const { data, error } = useQuery({ ...playHistoryQuery({ ...subjects, days: 1 }), enabled: isNeeded });
  return { today: (isNeeded && data?.to) || here, isKnown: !isNeeded || !!data || !!error };
}

/** Proof of play: what played, when, where and for how long. */
export default function ReportPage() {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const address = useReportAddress();
  const { values } = address;
  const name = oneOf(RANGES, values.range) ?? '7';
  const { ad, device, file, owner, deviceGroup } = values;
  const subjects = { ad, device, file, owner, deviceGroup };
  const { today, isKnown } = useToday(subjects, name === 'yesterday' || name === 'month');
  const range = rangeOf(name, today, values);
  const fault = faultOf(range);
  const filter: PlaysFilter = { ...range, ...subjects };
  const labels = {
    '1': t('thisDay'),
    'yesterday': t('yesterday'),
    '7': t('days7'),
    '30': t('days30'),
    'month': t('lastMonth'),
    'custom': t('custom'),
  };
  return (
    <Page
      title={common('playReport')}
      back="/"
      actions={
        <ButtonLink small to="/revenue">
          {common(leading ? 'revenue' : 'costs')}
        </ButtonLink>
      }
      bar={
        <Chips
          label={t('range')}
          value={name}
          options={RANGES.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) => address.set({ range: next })}
        />
      }
    >
      {name === 'custom' && (
        <Card>
          <div className={style.dates}>
            {(['from', 'to'] as const).map((end) => (
              <FieldFrame key={end} id={`report-${end}`} label={t(end)}>
                <TextControl
                  id={`report-${end}`}
                  type="date"
                  value={values[end] ?? ''}
                  onChange={(date) => address.set({ [end]: date })}
                />
              </FieldFrame>
            ))}
          </div>
          {fault === 'report.days' && <p className="caption">{contractMessages().rules[fault]}</p>}
          {fault && fault !== 'report.days' && (
            <p className={style.fault} role="alert">
              {contractMessages().rules[fault]}
            </p>
          )}
        </Card>
      )}
      {!isKnown && <Skeleton height={420} />}
      {isKnown && !fault && (
        <>
          <PlayHistory filter={filter} address={address} />
          <Groups filter={filter} address={address} />
        </>
      )}
    </Page>
  );
}
