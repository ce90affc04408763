import type { Media } from '@ams/contract';
import { useCallback, useState } from 'react';
import { FilmIcon, PictureIcon } from '../../ui/layout/icons.ts';
import style from './upload.module.css';

/** A moment past the start, which is often black. */
const STILL = '#t=0.5';

/** A look at a file on this device; where the browser cannot draw it, the sign of its media. */
export function LocalPicture({ file, media }: { file: File; media: Media }) {
  const [failed, setFailed] = useState(false);
  const show = useCallback(
    (element: HTMLImageElement | HTMLVideoElement | null) => {
      if (!element) return undefined;
      const address = URL.createObjectURL(file);
      element.src = element instanceof HTMLVideoElement ? address + STILL : address;
      return () => URL.revokeObjectURL(address);
    },
    [file],
  );
  const onError = () => setFailed(true);
  return (
    <div className={style.picture} aria-hidden>
      {media === 'image' ? <PictureIcon /> : <FilmIcon />}
      {!failed && media === 'image' && <img ref={show} alt="" onError={onError} />}
      {!failed && media === 'video' && (
        <video ref={show} muted playsInline preload="metadata" tabIndex={-1} onError={onError} />
      )}
    </div>
  );
}
