import { MEDIA, type Region, type Orientation, type Split, kindsFor, regionsOfSplit } from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MediaIcon } from '../layout/MediaIcon.tsx';
import style from './SplitDrawing.module.css';

interface SplitDrawingProps {
  orientation: Orientation;
  split: Split;
  /** Longer edge in CSS pixels. */
  size?: number;
  /** The region that is being filled, tinted strongly. */
  active?: Region | undefined;
  /** Without media icons, for sizes that have no room for them. */
  plain?: boolean;
  /** Content of a region instead of its media icon. */
  content?: (region: Region) => ReactNode;
  /** Makes the regions buttons. */
  onPick?: (region: Region) => void;
}

export const SPLIT_TEXT = { full: 'splitFull', two: 'splitTwo', three: 'splitThree' } as const;
export const REGION_TEXT = {
  full: 'regionFull',
  top: 'regionTop',
  middle: 'regionMiddle',
  bottom: 'regionBottom',
  left: 'regionLeft',
  right: 'regionRight',
} as const satisfies Record<Region, string>;

/** A screen with its regions, to scale: rows on a vertical screen, columns on a horizontal one. */
export function SplitDrawing({
  orientation,
  split,
  size = 56,
  active,
  plain = false,
  content,
  onPick,
}: SplitDrawingProps) {
  const { t } = useTranslation();
  const shares = regionsOfSplit(orientation, split);
  if (!shares) return null;
  const tracks = shares.map((part) => `${part.share}fr`).join(' ');
  const frame =
    orientation === 'vertical'
      ? { width: (size * 9) / 16, height: size, gridTemplateRows: tracks }
      : { width: size, height: (size * 9) / 16, gridTemplateColumns: tracks };
  const label = t('orientationAndSplit', { screen: t(orientation), split: t(SPLIT_TEXT[split]) });
  return (
    <div
      className={style.screen}
      data-plain={plain || undefined}
      style={frame}
      role={onPick ? 'group' : 'img'}
      aria-label={label}
    >
      {shares.map(({ region }) => (
        <RegionCell
          key={region}
          region={region}
          active={region === active}
          label={t(REGION_TEXT[region])}
          onPick={onPick && (() => onPick(region))}
        >
          {content?.(region) ?? (!plain && <KindSign orientation={orientation} split={split} region={region} />)}
        </RegionCell>
      ))}
    </div>
  );
}

interface RegionCellProps {
  region: Region;
  active: boolean;
  label: string;
  onPick: (() => void) | undefined;
  children: ReactNode;
}

function RegionCell({ region, active, label, onPick, children }: RegionCellProps) {
  const className = active ? `${style.region} ${style.active}` : style.region;
  if (!onPick) {
    return (
      <span className={className} data-region={region}>
        {children}
      </span>
    );
  }
  return (
    <button type="button" className={className} data-region={region} aria-pressed={active} onClick={onPick}>
      <span className="visually-hidden">{label} </span>
      {children}
    </button>
  );
}

interface KindSignProps {
  orientation: Orientation;
  split: Split;
  region: Region;
}

/** The media allowed in a region; video if there are several. */
export function KindSign({ orientation, split, region }: KindSignProps) {
  const kinds = kindsFor(orientation, split, region);
  const media = MEDIA.findLast((each) => kinds.some((kind) => kind.media === each));
  return media && <MediaIcon media={media} />;
}
