/** Names of a video's colours in ffmpeg's words; `unknown` where it has none. */
export interface Colours {
  primaries: string;
  transfer: string;
}

/** Lines of ffmpeg's filter `showinfo`: pixels that are red, green and blue, or share a palette; and named colours. */
const RGB = /showinfo.* fmt:(?:gbr|rgb|bgr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/;
const NAMED = /showinfo.* color_space:(\S+) color_primaries:(\S+) color_trc:(\S+)/;

/** The colours of the first frame in a log of `showinfo`; undefined when the matrix of the video is unknown. */
export function coloursIn(log: string): Colours | undefined {
  const [, matrix = 'unknown', primaries = 'unknown', transfer = 'unknown'] = NAMED.exec(log) ?? [];
  return matrix !== 'unknown' || RGB.test(log) ? { primaries, transfer } : undefined;
}
