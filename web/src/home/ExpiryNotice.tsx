import type { HomeSummary } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useReadOnly, useSession } from '../platform/session.ts';
import { useFormat } from '../ui/format/format.ts';
import { DeviceLabel } from '../ui/layout/DeviceLabel.tsx';
import { ClockIcon, PhoneIcon } from '../ui/layout/icons.ts';
import { HomeNotice } from './HomeNotice.tsx';

const NAMED = 3;

/** Stands above the cards only when devices are about to expire: which, and whom to contact. */
export function ExpiryNotice({ summary }: { summary: HomeSummary }) {
  const { t } = useTranslation('home');
  const { date } = useFormat();
  const { leading } = useSession();
  const readOnly = useReadOnly();
  const { expiring, merchant } = summary;
  const count = summary.devices.expiring;
  if (count === 0) return null;
  return (
    <HomeNotice
      icon={<ClockIcon />}
      title={t('expiringTitle', { count })}
      links={
        <>
          {leading && !readOnly && (
            <Link to="/mac?expiry=expiring" state={{ extend: true }}>
              {t('extend')}
            </Link>
          )}
          {!leading && merchant?.phone && (
            <a href={`tel:${merchant.phone}`}>
              <PhoneIcon />
              <span>{t('callMerchant', { phone: merchant.phone })}</span>
            </a>
          )}
          {count > NAMED && <Link to="/mac?expiry=expiring">{t('showAllExpiring')}</Link>}
        </>
      }
    >
      <p>{merchant && !leading ? t('expiringHint', { merchant: merchant.username }) : t('expiringHintNoMerchant')}</p>
      <ul>
        {expiring.slice(0, NAMED).map((device) => (
          <li key={device.id}>
            <Link to={`/mac/${device.id}`}>
              <DeviceLabel device={device} />
              <span className="caption">{t('expiresOn', { date: date(device.expiresAt) })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </HomeNotice>
  );
}
