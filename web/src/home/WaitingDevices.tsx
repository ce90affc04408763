import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { waitingDevicesQuery } from '../queries/home.ts';
import { RelativeTime } from '../ui/format/time.tsx';
import { ButtonLink } from '../ui/layout/Button.tsx';
import { Card } from '../ui/layout/Page.tsx';
import style from './FirstSteps.module.css';

/** Devices of this network that show a pairing code; the code is read from the screen. */
export function WaitingDevices() {
  const { t } = useTranslation('home');
  const { data = [] } = useQuery(waitingDevicesQuery);
  if (data.length === 0) return null;
  return (
    <Card title={t('waitingDevices')}>
      <ul className={style.waiting}>
        {data.map(({ since, screen: { width, height } }) => (
          <li key={since}>
            <span className="device">{width && height ? `${width} × ${height}` : '–'}</span>
            <span className="caption">
              <RelativeTime at={since} />
            </span>
          </li>
        ))}
      </ul>
      <ButtonLink to="/scancode?mac=&code=" look="primary" block>
        {t('enterCode')}
      </ButtonLink>
    </Card>
  );
}
