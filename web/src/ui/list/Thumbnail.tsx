import type { Media } from '@ams/contract';
import { useState } from 'react';
import { MediaIcon } from '../layout/MediaIcon.tsx';
import style from './Thumbnail.module.css';

interface ThumbnailProps {
  /** Address of the poster; without one (or on failure) the media's icon is shown. */
  src: string | null | undefined;
  media: Media;
  /** Description of the picture; empty if its name is shown beside it. */
  alt?: string;
  /** CSS aspect ratio of the frame. */
  ratio?: string;
}

export function Thumbnail({ src, media, alt = '', ratio = '1' }: ThumbnailProps) {
  const [failed, setFailed] = useState<string>();
  return (
    <div className={style.thumbnail} style={{ aspectRatio: ratio }}>
      {src && failed !== src ? (
        <img src={src} alt={alt} loading="lazy" decoding="async" onError={() => setFailed(src)} />
      ) : (
        <MediaIcon media={media} />
      )}
    </div>
  );
}
