import { type PlaysFilter, type PlaysRow, reportFileName } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../platform/api.ts';
import { oneOf } from '../ui/layout/address.ts';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import { Chips } from '../ui/list/Chips.tsx';
import { useFormat } from '../ui/format/format.ts';
import { DeviceLabel, Mac } from '../ui/layout/DeviceLabel.tsx';
import { NextIcon, ShareIcon, TableIcon } from '../ui/layout/icons.ts';
import { InfiniteList } from '../ui/list/InfiniteList.tsx';
import type { ReportAddress } from './address.ts';
import { exportAddress, playHistoryQuery, playsQuery } from '../queries/reports.ts';
import { ShareReport } from './ShareReport.tsx';
import style from './reports.module.css';

const GROUPS = ['ad', 'device', 'file', 'day'] as const;
type Group = (typeof GROUPS)[number];

interface GroupsProps {
  filter: PlaysFilter;
  address: ReportAddress;
}

/** The plays by ad, device, file or day, and the way to take them along. */
export function Groups({ filter, address }: GroupsProps) {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const group = oneOf(GROUPS, address.values.by) ?? 'ad';
  return (
    <>
      <div className={style.head}>
        <Chips
          label={t('groupBy')}
          value={group}
          options={GROUPS.map((value) => ({ value, label: t(value) }))}
          onChange={(by) => address.set({ by })}
        />
        <Exports filter={filter} group={group} />
      </div>
      <InfiniteList
        query={playsQuery(filter, group)}
        label={t('groupBy')}
        rowHeight={72}
        render={(row) => <Row row={row} group={group} address={address} />}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <ButtonLink to="/ad">{common('menuAds')}</ButtonLink>,
        }}
      />
    </>
  );
}

function Exports({ filter, group }: { filter: PlaysFilter; group: Group }) {
  const { t } = useTranslation('reports');
  const { data, isPlaceholderData } = useQuery(playHistoryQuery(filter));
  // The name of a file says what is in it: not what was chosen before.
  const about = isPlaceholderData ? undefined : data;
  const [sharing, setSharing] = useState(false);
  const take = async (format: 'xls' | 'csv') => {
    if (about) await download(exportAddress(filter, group, format), `${reportFileName(about)}.${format}`);
  };
  return (
    <div className={style.exports}>
      {(['xls', 'csv'] as const).map((format) => (
        <Button key={format} small icon={<TableIcon />} disabled={!about} onClick={() => take(format)}>
          {t('export', { format: `.${format}` })}
        </Button>
      ))}
      <Button changes small icon={<ShareIcon />} disabled={!about} onClick={() => setSharing(true)}>
        {t('shareReport')}
      </Button>
      {sharing && <ShareReport report={{ ...filter, group }} onClose={() => setSharing(false)} />}
    </div>
  );
}

/** What a group is called: a day, a device, a title; ads and files of other users stay unnamed. */
function GroupName({ row, group }: { row: PlaysRow; group: Group }) {
  const { t } = useTranslation('reports');
  const { date } = useFormat();
  if (group === 'day') return date(row.id);
  if (row.mac !== null) return <DeviceLabel device={{ name: row.name ?? '', mac: row.mac }} />;
  return row.name || t('otherUsers');
}

/** One group; ads, devices and files lead to the report of themselves. */
function Row({ row, group, address }: { row: PlaysRow; group: Group; address: ReportAddress }) {
  const { t } = useTranslation('reports');
  const { number, total } = useFormat();
  const content = (
    <>
      <span className={style.name}>
        <bdi>
          <GroupName row={row} group={group} />
        </bdi>
        {row.mac !== null && row.name && (
          <span className="caption">
            <Mac mac={row.mac} />
          </span>
        )}
      </span>
      <span className={style.figures}>
        <strong>{t('count', { count: row.plays, n: number(row.plays) })}</strong>
        <span className="caption">{total(row.durationMs)}</span>
        {Boolean(row.scans) && <span className="caption">{t('scansOf', { n: number(row.scans ?? 0) })}</span>}
      </span>
    </>
  );
  if (group === 'day' || row.name === null || address.values[group]) return <div className={style.row}>{content}</div>;
  return (
    <button type="button" className={style.row} onClick={() => address.set({ [group]: row.id, by: 'day' })}>
      {content}
      <NextIcon className="turns" />
    </button>
  );
}
