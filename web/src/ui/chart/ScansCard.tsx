import type { Scans } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../format/format.ts';
import { Card } from '../layout/Page.tsx';
import { Chart } from './Chart.tsx';
import style from './ScansCard.module.css';

/** How often the QR codes of a release or a campaign were scanned; nothing where there is no code. */
export function ScansCard({ scans }: { scans: Scans | undefined }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  if (!scans?.carries) return null;
  const { total, days, devices } = scans;
  return (
    <Card title={t('scans')} action={<span className="numbers">{number(total)}</span>}>
      {total === 0 && <p>{t('scansNone')}</p>}
      {days.length > 1 && (
        <Chart points={days.map(({ day, scans: count }) => [day, count] as const)} kind="days" label={t('scans')} />
      )}
      {devices.length > 0 && (
        <ul className={style.devices}>
          {devices.map(({ device, scans: count }) => (
            <li key={device.id}>
              <Link to={`/mac/${device.id}`}>
                <bdi>{device.name}</bdi>
              </Link>
              <span className="numbers">{number(count)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="caption">{t('scansPrivacy')}</p>
    </Card>
  );
}
