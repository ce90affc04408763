import { type AdItemShown, type FileItemShown, type Fit, type Media, showingMs } from '@ams/contract';
import { type ComponentType, type ReactElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import style from './Stage.module.css';
import { keyOfItem, type Turn } from './rotation.ts';

export interface RegionPlayerProps {
  /** At least one. */
  items: readonly AdItemShown[];
  /** The visible item and the one being prepared. */
  turns: readonly Turn[];
  fit: Fit;
  background: string;
  playing: boolean;
  onEnd: () => void;
}

/**
 * Plays a region's files one after the other, as a device does: the next is loaded, unseen, before
 * the current one ends. A file that will not play is passed over.
 */
export function RegionPlayer({ items, turns, fit, background, playing, onEnd }: RegionPlayerProps) {
  return (
    <span className={style.region} data-fit={fit} style={{ background }}>
      {turns.map(({ key, index }, place) => {
        const item = items[index];
        const current = place === 0;
        return (
          item && (
            <Layer
              key={`${key} ${keyOfItem(item)}`}
              item={item}
              playing={current && playing}
              current={current}
              onEnd={onEnd}
            />
          )
        );
      })}
    </span>
  );
}

interface LayerProps<Item extends AdItemShown> {
  item: Item;
  current: boolean;
  playing: boolean;
  onEnd: () => void;
}

function Layer({ item, ...props }: LayerProps<AdItemShown>): ReactElement {
  switch (item.kind) {
    case 'file': {
      const FileLayer = FILE_LAYERS[item.media];
      return <FileLayer item={item} {...props} />;
    }
  }
}

/** A broken file is passed over after this long (ms), so that a playlist of nothing else does not spin. */
const SKIP_AFTER = 1000;

function useTimer(running: boolean, ms: number, onEnd: () => void) {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => end(), ms);
    return () => clearTimeout(timer);
  }, [running, ms]);
}

function ImageLayer({ item, current, playing, onEnd }: LayerProps<FileItemShown>) {
  useTimer(playing, showingMs(item), onEnd);
  const src = item.url ?? item.poster;
  return src && <img className={style.layer} data-current={current} src={src} alt="" decoding="async" />;
}

function VideoLayer({ item, current, playing, onEnd }: LayerProps<FileItemShown>) {
  const ref = useRef<HTMLVideoElement>(null);
  const [broken, setBroken] = useState(item.url === null);
  useTimer(playing && broken, SKIP_AFTER, onEnd);
  useEffect(() => {
    const video = ref.current;
    // A browser that refuses to play by itself shows the poster.
    if (playing) void video?.play().catch(() => undefined);
    else video?.pause();
  }, [playing]);
  return (
    <video
      ref={ref}
      className={style.layer}
      data-current={current}
      src={item.url ?? undefined}
      poster={item.poster ?? undefined}
      preload="auto"
      muted
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      onEnded={onEnd}
      onError={() => setBroken(true)}
    />
  );
}

const FILE_LAYERS: Record<Media, ComponentType<LayerProps<FileItemShown>>> = { image: ImageLayer, video: VideoLayer };
