import type { Device, Screen } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Card } from '../ui/layout/Page.tsx';
import { PlayIcon } from '../ui/layout/icons.ts';
import { RelativeTime, useNow } from '../ui/format/time.tsx';
import { Look } from './Look.tsx';
import { isUpright, ScreenPicture } from './ScreenPicture.tsx';
import { SCREEN_NAME_TEXT, useDarkWords, useShownWords } from './Truths.tsx';
import style from './OnScreen.module.css';
import { type Shown, screenNames, shownOn } from './truths.ts';

/** Content of the device's screens as last reported, with the age of the report. */
export function OnScreen({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const now = useNow();
  const names = screenNames(device);
  return (
    <Card title={t('onScreen')} action={device.playing.at && !device.playing.live && <SaidAt at={device.playing.at} />}>
      <div className={names.length > 1 ? `${style.screens} ${style.two}` : style.screens}>
        {names.map((name) => (
          <OneScreen
            key={name}
            device={device}
            name={name}
            named={names.length > 1}
            shown={shownOn(device, name, now)}
          />
        ))}
      </div>
      <Look device={device} />
    </Card>
  );
}

function SaidAt({ at }: { at: string }) {
  const { t } = useTranslation('devices');
  return (
    <span className="caption">
      {t('asOf')} <RelativeTime at={at} />
    </span>
  );
}

interface OneScreenProps {
  device: Device;
  name: Screen;
  /** There is more than one screen: each is labelled. */
  named: boolean;
  shown: Shown;
}

function OneScreen({ device, name, named, shown }: OneScreenProps) {
  const { t } = useTranslation('devices');
  const words = useShownWords();
  const hint = useHint(device, shown);
  return (
    <figure
      className={style.screen}
      data-layout={layoutOf(device, name, shown)}
      data-testid={`screen-${name}`}
      data-state={shown.state}
    >
      <ScreenPicture device={device} name={name} shown={shown} />
      <figcaption>
        {named && <span className="caption">{t(SCREEN_NAME_TEXT[name])}</span>}
        <strong>
          {shown.state === 'playing' && <PlayIcon className={style.playing} />}
          {shown.state === 'playing' ? (shown.now.ad?.name ?? t('unknownAd')) : words(shown)}
        </strong>
        {hint && <span className="caption">{hint}</span>}
      </figcaption>
    </figure>
  );
}

function useHint(device: Device, shown: Shown): string | undefined {
  const { t } = useTranslation('devices');
  const dark = useDarkWords();
  if (shown.state === 'playing') return undefined;
  if (device.expired) return t('expiredHint');
  if (device.verdict.kind === 'dark') return dark(device.verdict, device.timeZone);
  return { stale: t('stale'), nothing: t('nothingHint'), unknown: t('unknownHint') }[shown.state];
}

/** A dark screen needs little room; an upright one has its words beside it. */
function layoutOf(device: Device, name: Screen, shown: Shown): 'small' | 'upright' | 'wide' {
  if (shown.state === 'nothing' || shown.state === 'unknown') return 'small';
  return isUpright(device, name) ? 'upright' : 'wide';
}
