import { type CampaignConflict, deviceLabel } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../ui/format/format.ts';
import { weekdayNames } from '../ui/format/schedule.ts';
import { Card } from '../ui/layout/Page.tsx';
import style from './campaigns.module.css';
import { useCampaignWords } from './words.ts';

/** The screen-hours that have no room, and what is booked there. */
export function Conflicts({ conflicts }: { conflicts: readonly CampaignConflict[] }) {
  const { t, i18n } = useTranslation('campaigns');
  const { list, date } = useFormat();
  const { freeShare, neededShare } = useCampaignWords();
  const days = weekdayNames(i18n.language, 'long');
  if (conflicts.length === 0) return null;
  return (
    <Card title={t('conflicts')}>
      <ul className={style.rows}>
        {conflicts.map(({ device, weekday, hour, free, needed, expiresAt, campaigns }) => (
          <li key={`${device?.id} ${weekday} ${hour}`}>
            {device ? (
              <Link to={`/mac/${device.id}`}>
                <bdi>{deviceLabel(device)}</bdi>
              </Link>
            ) : (
              t('aScreen')
            )}
            <span className="caption">
              {t('conflictLine', {
                when: `${days[weekday - 1] ?? ''} ${clock(hour)}`,
                free: freeShare(free),
                needed: neededShare(needed),
              })}
            </span>
            {expiresAt && <span className="caption">{t('lastDay', { date: date(expiresAt) })}</span>}
            {campaigns.length > 0 && (
              <span className="caption">{t('conflictWith', { names: list(campaigns.map(({ name }) => name)) })}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
