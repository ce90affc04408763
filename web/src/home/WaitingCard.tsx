import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../ui/format/time.tsx';
import { ButtonLink } from '../ui/layout/Button.tsx';
import { Card } from '../ui/layout/Page.tsx';
import style from './FirstSteps.module.css';

interface WaitingDevice {
  since: string;
  screen: { width?: number | undefined; height?: number | undefined };
}

export function WaitingCard({ devices }: { devices: readonly WaitingDevice[] }) {
  const { t } = useTranslation('home');
  return (
    <Card title={t('waitingDevices')}>
      <ul className={style.waiting}>
        {devices.map(({ since, screen: { width, height } }) => (
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
