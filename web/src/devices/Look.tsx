import type { Device, Screen } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { useFormat } from '../ui/format/format.ts';
import { EyeIcon } from '../ui/layout/icons.ts';
import { RelativeTime } from '../ui/format/time.tsx';
import { requestScreenshot, screenshotQuery } from '../queries/devices.ts';
import { screenNames } from './truths.ts';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import style from './look.module.css';

/** A device that has sent nothing for so long will not send it any more. */
const PATIENCE = 15_000;

type Asking = { state: 'idle' } | { state: 'asking'; before: Device['screenshotAt'] } | { state: 'failed' };

/** Asks the device for a picture of what it really shows and shows the last one it sent. */
export function Look({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [asking, setAsking] = useState<Asking>({ state: 'idle' });
  const waiting = asking.state === 'asking' && !hasCome(device, asking.before);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setAsking({ state: 'failed' }), PATIENCE);
    return () => clearTimeout(timer);
  }, [waiting]);

  const look = async () => {
    setAsking({ state: 'asking', before: device.screenshotAt });
    const answer = await requestScreenshot(device.id);
    if (answer.error !== undefined) setAsking({ state: 'idle' });
  };
  const taken = screenNames(device).flatMap((screen) => {
    const at = device.screenshotAt[screen];
    return at ? [{ screen, at }] : [];
  });
  return (
    <div className={style.look}>
      <Button changes block icon={<EyeIcon />} loading={waiting} disabled={!device.online} onClick={() => void look()}>
        {waiting ? t('takingScreenshot') : t('takeScreenshot')}
      </Button>
      <p className="caption" role="status">
        {!device.online ? t('screenshotOffline') : asking.state === 'failed' ? t('screenshotFailed') : null}
      </p>
      {taken.length > 0 && (
        <div className={style.pictures}>
          {taken.map(({ screen, at }) => (
            <Picture key={screen} device={device} screen={screen} at={at} named={taken.length > 1} />
          ))}
        </div>
      )}
    </div>
  );
}

const hasCome = ({ screenshotAt }: Device, before: Device['screenshotAt']): boolean =>
  screenshotAt.main !== before.main || screenshotAt.secondary !== before.secondary;

interface PictureProps {
  device: Device;
  screen: Screen;
  at: string;
  named: boolean;
}

/** A picture with its age; a tap shows it as large as it goes. */
function Picture({ device, screen, at: newest, named }: PictureProps) {
  const { t } = useTranslation('devices');
  const { dateTime } = useFormat();
  const [large, setLarge] = useState(false);
  const { data } = useQuery(screenshotQuery(device.id, screen, newest));
  const { url, at = newest } = data ?? {};
  const alt = t('screenshotAlt', { time: dateTime(at) });
  return (
    <figure className={style.picture} data-testid={`picture-${screen}`} data-at={at}>
      <button type="button" aria-label={t('enlargeScreenshot')} onClick={() => setLarge(true)}>
        {url && <img src={url} alt={alt} />}
      </button>
      <figcaption className="caption">
        {named && `${t(SCREEN_NAME_TEXT[screen])} · `}
        {t('screenshotTaken')} <RelativeTime at={at} />
      </figcaption>
      {large && (
        <Dialog kind="full" title={`${t('screenshotTaken')} ${dateTime(at)}`} onClose={() => setLarge(false)}>
          <div className={style.large}>{url && <img src={url} alt={alt} />}</div>
        </Dialog>
      )}
    </figure>
  );
}
