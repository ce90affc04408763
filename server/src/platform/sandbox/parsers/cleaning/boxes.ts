import type { Reader } from './reader.ts';

/** A box of an MP4 or MOV (ISO/IEC 14496-12 §4.2): its type and where its content is. */
export interface Box {
  type: string;
  start: number;
  end: number;
}

/** Parts that are needed for playback. Others may reveal where, when, by whom and with what a film was taken. */
const FILM = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'styp', 'sidx', 'moof', 'mfra', 'pdin']);
const MOVIE = new Set(['mvhd', 'trak', 'mvex', 'iods', 'udta', 'free', 'skip']);
const TRACK = new Set(['tkhd', 'edts', 'mdia', 'tref', 'tapt', 'udta', 'free', 'skip']);
const HANDLERS = new Set(['vide', 'soun']);
/** Placeholders that encoders write instead of a name. */
const HANDLER_NAMES = new Set(['', 'VideoHandler', 'SoundHandler', 'DataHandler']);
const NAME_MAX = 64;

/** The boxes between two places; undefined when they do not fit. */
export async function boxesIn(reader: Reader, start: number, end: number): Promise<Box[] | undefined> {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end;) {
    const head = await reader.read(at, 16);
    const size = head.readUInt32BE(0);
    const isLarge = size === 1 && head.length === 16;
    const length = size === 0 ? end - at : isLarge ? Number(head.readBigUInt64BE(8)) : size;
    const from = at + (isLarge ? 16 : 8);
    if (from > at + length || at + length > end) return undefined;
    boxes.push({ type: head.toString('latin1', 4, 8), start: from, end: at + length });
    at += length;
  }
  return boxes;
}

/** Whether boxes are all of these types and what is inside them is plain, too. */
async function arePlain(
  reader: Reader,
  { start, end }: Pick<Box, 'start' | 'end'>,
  types: ReadonlySet<string>,
  inside: Record<string, (box: Box) => Promise<boolean>>,
): Promise<boolean> {
  const boxes = await boxesIn(reader, start, end);
  if (!boxes) return false;
  for (const box of boxes) {
    if (!types.has(box.type) || (await inside[box.type]?.(box)) === false) return false;
  }
  return true;
}

/** Picture or sound, without a name of somebody's. */
async function isPlainHandler(reader: Reader, { start, end }: Box): Promise<boolean> {
  const body = await reader.read(start, Math.min(end - start, 24 + NAME_MAX));
  const name = body.toString('latin1', 24).replace(/\p{Cc}/gu, '');
  return HANDLERS.has(body.toString('latin1', 8, 12)) && HANDLER_NAMES.has(name);
}

const isPlainMedia = async (reader: Reader, box: Box): Promise<boolean> => {
  const boxes = await boxesIn(reader, box.start, box.end);
  const handler = boxes?.find(({ type }) => type === 'hdlr');
  return handler !== undefined && isPlainHandler(reader, handler);
};

/** User data that names the encoder alone, or nothing. */
const isPlainUserData = (reader: Reader, box: Box): Promise<boolean> =>
  arePlain(reader, box, new Set(['meta']), {
    meta: (meta) =>
      arePlain(reader, { start: meta.start + 4, end: meta.end }, new Set(['hdlr', 'ilst', 'free']), {
        ilst: (list) => arePlain(reader, list, new Set(['\xa9too']), {}),
      }),
  });

const isPlainTrack = (reader: Reader, box: Box): Promise<boolean> =>
  arePlain(reader, box, TRACK, {
    mdia: (media) => isPlainMedia(reader, media),
    udta: (data) => isPlainUserData(reader, data),
  });

/** Whether an MP4 or MOV holds a film and nothing about it. */
export const isPlainMp4 = (reader: Reader): Promise<boolean> =>
  arePlain(reader, { start: 0, end: reader.size }, FILM, {
    moov: (movie) =>
      arePlain(reader, movie, MOVIE, {
        trak: (track) => isPlainTrack(reader, track),
        udta: (data) => isPlainUserData(reader, data),
      }),
  });
