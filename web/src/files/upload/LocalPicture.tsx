import type { Media } from '@ams/contract';
import { type ComponentType, type RefCallback, useCallback, useState } from 'react';
import { MediaIcon } from '../../ui/layout/MediaIcon.tsx';
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
  const Look = LOOKS[media];
  return (
    <div className={style.picture} aria-hidden>
      <MediaIcon media={media} />
      {!failed && <Look show={show} onError={onError} />}
    </div>
  );
}

interface LookProps {
  /** Gives the element its content while it is there. */
  show: RefCallback<HTMLImageElement | HTMLVideoElement>;
  onError: () => void;
}

const LOOKS: Record<Media, ComponentType<LookProps>> = {
  image: ({ show, onError }) => <img ref={show} alt="" onError={onError} />,
  video: ({ show, onError }) => (
    <video ref={show} muted playsInline preload="metadata" tabIndex={-1} onError={onError} />
  ),
};
