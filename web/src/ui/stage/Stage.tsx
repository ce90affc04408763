import { type AdQr, isScanTarget, QR_PERCENT, type Region, regionEntries } from '@ams/contract';
import type { Rotation } from '@ams/contract/rules/sequence';
import { type ReactNode, useEffect, useState } from 'react';
import { useFormat } from '../format/format.ts';
import { QrImage } from '../layout/QrImage.tsx';
import { SplitDrawing } from './SplitDrawing.tsx';
import { RegionPlayer } from './RegionPlayer.tsx';
import { afterItem, keyOfItem, type Staged, startPreview, turnsOf } from './rotation.ts';
import style from './Stage.module.css';

interface StageProps {
  ad: Staged;
  /** Longer edge in CSS pixels. */
  size: number;
  playing: boolean;
  active?: Region | undefined;
  /** Makes the regions buttons. */
  onPick?: ((region: Region) => void) | undefined;
  /** Content of an empty region. */
  empty?: (region: Region) => ReactNode;
}

/** A screen as a device would show the ad: the real files in the real layout, without sound. */
export function Stage({ ad, size, playing, active, onPick, empty }: StageProps) {
  const [rotation, advance] = useRotation(ad);
  const content = (region: Region) => {
    const items = ad.regions[region] ?? [];
    if (items.length === 0 || !rotation) return empty?.(region) ?? <i className={style.dark} />;
    const turns = turnsOf(rotation, region);
    return (
      <RegionPlayer
        items={items}
        turns={turns}
        fit={ad.fit}
        background={ad.background}
        playing={playing}
        onEnd={() => advance(region)}
      />
    );
  };
  return (
    <div className={style.stage} data-testid="stage" data-playing={playing}>
      <SplitDrawing
        orientation={ad.orientation}
        split={ad.split}
        size={size}
        active={active}
        content={content}
        {...(onPick && { onPick })}
      />
      <div className={style.over}>
        {ad.showClock && <Clock />}
        {ad.qr && isScanTarget(ad.qr.url) && <Code qr={ad.qr} showClock={ad.showClock} />}
      </div>
    </div>
  );
}

/** Position of the preview; it restarts when the ad's content changes. */
function useRotation(ad: Staged): [Rotation | undefined, (region: Region) => void] {
  const begin = () => ({ of: contentKey(ad), rotation: startPreview(ad, Math.random()) });
  const [state, setState] = useState(begin);
  const current = state.of === contentKey(ad) ? state : begin();
  if (current !== state) setState(current);
  const advance = (region: Region) =>
    setState((before) => ({ ...before, rotation: before.rotation && afterItem(before.rotation, region) }));
  return [current.rotation, advance];
}

const contentKey = ({ orientation, split, playMode, regions }: Staged): string =>
  JSON.stringify([
    orientation,
    split,
    playMode,
    regionEntries(regions).map(([region, items]) => [region, items.map(keyOfItem)]),
  ]);

/** The QR code as it will look; on a device it holds a short link. */
function Code({ qr: { url, corner, size }, showClock }: { qr: AdQr; showClock: boolean }) {
  return (
    <span className={style.code} data-corner={corner} data-clock={showClock} data-testid="stage-code">
      <QrImage text={url} size={`${QR_PERCENT[size]}cqmin`} />
    </span>
  );
}

function Clock() {
  const { time } = useFormat();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={style.clock} data-testid="stage-clock">
      {time(new Date(now).toISOString())}
    </span>
  );
}
