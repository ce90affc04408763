import type { Ad, AdItemShown, Region } from '@ams/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useFormat } from '../format.ts';
import { LayoutDrawing } from '../LayoutDrawing.tsx';
import { RegionPlayer } from './RegionPlayer.tsx';
import style from './Stage.module.css';

/** What of an ad is needed to show it. */
export type Staged = Pick<Ad, 'screen' | 'split' | 'playMode' | 'showClock' | 'fit' | 'regions'>;

interface StageProps {
  ad: Staged;
  /** Longer edge in CSS pixels. */
  size: number;
  playing: boolean;
  active?: Region | undefined;
  /** Makes the regions buttons. */
  onPick?: ((region: Region) => void) | undefined;
  /** What stands in a region without files. */
  empty?: (region: Region) => ReactNode;
}

/** A screen as a machine would show the ad: the real files in the real layout, without sound. */
export function Stage({ ad, size, playing, active, onPick, empty }: StageProps) {
  const content = (region: Region) => {
    const items = ad.regions[region] ?? [];
    if (items.length === 0) return empty?.(region) ?? <i className={style.dark} />;
    return (
      <RegionPlayer
        key={playlistKey(ad.playMode, items)}
        items={items}
        playMode={ad.playMode}
        fit={ad.fit}
        playing={playing}
      />
    );
  };
  return (
    <div className={style.stage} data-testid="stage" data-playing={playing}>
      <LayoutDrawing
        screen={ad.screen}
        split={ad.split}
        size={size}
        active={active}
        content={content}
        {...(onPick && { onPick })}
      />
      {ad.showClock && <Clock size={size} />}
    </div>
  );
}

/** A playlist that changed begins anew. */
const playlistKey = (mode: string, items: readonly AdItemShown[]): string =>
  `${mode} ${items.map((item) => item.fileId).join(' ')}`;

const CLOCK_SHARE = 0.042;

function Clock({ size }: { size: number }) {
  const { time } = useFormat();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={style.clock} style={{ fontSize: Math.max(size * CLOCK_SHARE, 9) }}>
      {time(new Date(now).toISOString())}
    </span>
  );
}
