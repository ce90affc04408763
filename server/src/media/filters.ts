import type { Colours } from './colours.ts';

/** Chains of ffmpeg filters (https://ffmpeg.org/ffmpeg-filters.html), as the values of `-vf`. */

/** Only frames marked as interlaced are changed. */
const WHOLE_FRAMES = 'bwdif=mode=send_frame:deint=interlaced';

/** Pixels become square before anything looks at the sides. */
const SQUARE_PIXELS = "scale='iw*sar':ih,setsar=1";

/** At most `side` pixels on the long side, even sides as 4:2:0 needs them, never enlarged. */
const within = (side: number): string =>
  `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;

/** From light as it is (PQ, HLG) to what a common screen shows, in BT.709; 100 nits are white. */
const TONE_MAP = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
  'format=yuv420p',
].join(',');

/** Says that what is there is BT.709: pale, but an ffmpeg without `zscale` can do it. */
const RELABEL = 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,format=yuv420p';

const LIGHT = { asIs: [], mapped: [TONE_MAP], relabelled: [RELABEL] };

/** How the frames of a video are stored, as the first of them shows. */
export interface Frames {
  interlaced: boolean;
  /** The colours of a video whose matrix is known: converted frames get that of high definition. */
  colours?: Colours | undefined;
}

export interface Looks extends Frames {
  /** Tone mapping of high dynamic range videos. */
  light: keyof typeof LIGHT;
}

/** Browsers believe names of colours only when none is missing, and guess from the size otherwise. */
function inBt709({ primaries, transfer }: Colours): string {
  const named = [
    ...(primaries === 'unknown' ? ['color_primaries=bt709'] : []),
    ...(transfer === 'unknown' ? ['color_trc=bt709'] : []),
    'colorspace=bt709:range=tv',
  ];
  return `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setparams=${named.join(':')}`;
}

/** A frame as people see it, at most `side` pixels long. */
export const asSeen = ({ interlaced, light, colours }: Looks, side: number): string =>
  [
    ...(interlaced ? [WHOLE_FRAMES] : []),
    ...[SQUARE_PIXELS, within(side), ...LIGHT[light]],
    ...(colours && light === 'asIs' ? [inBt709(colours)] : []),
  ].join(',');
