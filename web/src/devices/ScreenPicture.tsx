import type { Device, Screen } from '@ams/contract';
import { useState } from 'react';
import { FilmIcon, ScreenIcon } from '../ui/layout/icons.ts';
import style from './ScreenPicture.module.css';
import type { Shown } from './truths.ts';

/** The screen's size in pixels as the device reports it, else the most common shape. */
function sizeOf({ screens }: Device, name: Screen): { width: number; height: number } {
  const screen = screens.find((each) => each.name === name) ?? screens[name === 'main' ? 0 : 1];
  return screen?.width && screen.height ? { width: screen.width, height: screen.height } : { width: 16, height: 9 };
}

export function isUpright(device: Device, name: Screen): boolean {
  const { width, height } = sizeOf(device, name);
  return height > width;
}

interface ScreenPictureProps {
  device: Device;
  name: Screen;
  shown: Shown;
  /** Describes the picture; empty where words say the same. */
  alt?: string;
}

/** A device's screen in its own shape, with the poster of what it plays; dark when nothing plays. */
export function ScreenPicture({ device, name, shown, alt = '' }: ScreenPictureProps) {
  const { width, height } = sizeOf(device, name);
  const [failed, setFailed] = useState<string>();
  const poster = 'now' in shown ? shown.now.poster : null;
  const frame = [style.frame, shown.state === 'stale' && style.stale].filter(Boolean).join(' ');
  return (
    <div className={frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {poster && failed !== poster ? (
        <img src={poster} alt={alt} decoding="async" onError={() => setFailed(poster)} />
      ) : 'now' in shown ? (
        <FilmIcon />
      ) : (
        <ScreenIcon />
      )}
    </div>
  );
}
