import { joined } from '../../ui/format/bidi.ts';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat, relativeFormat } from '../../platform/intl.ts';
import { Link } from 'react-router';
import { Avatar } from '../../ui/layout/Avatar.tsx';
import { RelativeTime, useNow } from '../../ui/format/time.tsx';
import { AuditDetails } from './AuditDetails.tsx';
import { AuditSentence, AuditSign } from './AuditSentence.tsx';
import { type AuditRow, daysAgo } from './rows.ts';
import { toldIn } from './told.ts';
import style from './audit.module.css';

/** A row of the activity log, with its day above it where a day begins. */
export function AuditCard({ row }: { row: AuditRow }) {
  const { t } = useTranslation('audit');
  const { actor } = row;
  const told = toldIn(row.details);
  const name = joined([row.person?.name, row.actorName]);
  return (
    <>
      {row.opensDay && <Day at={row.at} />}
      <article className={style.card}>
        <span className={style.face}>
          <Avatar name={name} />
          <AuditSign entry={row} told={told} />
        </span>
        <div className={style.what}>
          <p className={style.head}>
            {actor ? (
              <Link to={`/user/${actor.id}`} className={style.actor}>
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <span className={style.actor} title={told.kind === 'key' ? undefined : t('deletedUser')}>
                {name}
              </span>
            )}
            <span className={style.when}>
              <RelativeTime at={row.at} />
            </span>
          </p>
          <AuditSentence entry={row} told={told} />
          <AuditDetails entry={row} told={told} />
        </div>
      </article>
    </>
  );
}

/** 'Today', 'yesterday', or the date with its weekday. */
function Day({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const now = new Date(useNow());
  const date = new Date(at);
  const ago = daysAgo(date, now);
  const text =
    ago < 2
      ? relativeFormat(i18n.language, { numeric: 'auto' }).format(-ago, 'day')
      : dateFormat(dateLocale(i18n.language), {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          ...(date.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
        }).format(date);
  return <h2 className={style.day}>{text}</h2>;
}
