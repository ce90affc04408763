import type { App } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../ui/format/format.ts';
import { NextIcon } from '../ui/layout/icons.ts';
import { AppIcon } from './AppIcon.tsx';
import { detailsPath } from './address.ts';
import { AppBadges } from './badges.tsx';
import style from './apps.module.css';

/** One version in the list. */
export function AppCard({ app }: { app: App }) {
  const { t } = useTranslation('apps');
  const { bytes, date } = useFormat();
  return (
    <Link className={style.card} to={detailsPath(app)}>
      <AppIcon src={app.icon} />
      <span className={style.words}>
        <strong>{app.name}</strong>
        <span className={style.told}>
          <bdi>{t('versionName', { version: app.version })}</bdi>
          <span>{date(app.ctime)}</span>
          <span>{bytes(app.bytes)}</span>
        </span>
        <AppBadges {...app} />
      </span>
      <NextIcon className="turns" />
    </Link>
  );
}
