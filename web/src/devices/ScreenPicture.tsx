import { useState } from 'react';
import { FilmIcon, ScreenIcon } from '../ui/icons.tsx';
import style from './devices.module.css';
import type { Shown } from './truths.ts';

interface ScreenPictureProps {
  shown: Shown;
  /** Describes the picture; empty where words say the same. */
  alt?: string;
  /** CSS aspect ratio of the machine's screen. */
  ratio?: string;
}

/** A machine's screen as a small frame with the poster of what it plays; dark when nothing plays. */
export function ScreenPicture({ shown, alt = '', ratio = '16 / 10' }: ScreenPictureProps) {
  const [failed, setFailed] = useState<string>();
  const poster = 'now' in shown ? shown.now.poster : null;
  const frame = [style.frame, shown.state === 'stale' && style.stale].filter(Boolean).join(' ');
  return (
    <div className={frame} style={{ aspectRatio: ratio }}>
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
