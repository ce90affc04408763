import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../platform/live.ts';
import { refreshTakeovers, runningTakeoversQuery } from '../queries/takeovers.ts';
import { useFormat } from '../ui/format/format.ts';
import { TakeoverIcon } from '../ui/layout/icons.ts';
import { HomeNotice } from './HomeNotice.tsx';

/** Stands above everything else while takeovers run in scope. */
export function TakeoverNotice() {
  const { t } = useTranslation('home');
  const { number, dateTime } = useFormat();
  const { data } = useQuery(runningTakeoversQuery);
  useLive('release', () => void refreshTakeovers());
  if (!data) return null;
  const { items, total = items.length } = data;
  return (
    <>
      {items.map(({ id, ad, counts, endsAt }) => (
        <HomeNotice
          key={id}
          icon={<TakeoverIcon />}
          title={t('takeoverRuns', { ad: ad.name })}
          links={<Link to={`/takeovers/${id}`}>{t('takeoverOpen')}</Link>}
        >
          <p>
            {t('takeoverShowing', { n: number(counts.showing), total: number(counts.total) })}
            {endsAt && <> · {t('takeoverUntil', { time: dateTime(endsAt) })}</>}
          </p>
        </HomeNotice>
      ))}
      {total > items.length && (
        <p>
          <Link to="/releases?active=true">{t('takeoversMore', { n: number(total - items.length) })}</Link>
        </p>
      )}
    </>
  );
}
