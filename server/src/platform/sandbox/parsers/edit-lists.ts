import { type Box, boxesIn } from './cleaning/boxes.ts';
import { type Reader, readingFrom } from './cleaning/reader.ts';

/** The edits of any camera or editor fit into so many bytes. */
const LIST_MAX_BYTES = 4096;
const HANDLER_AT = 8;

const inside = async (reader: Reader, outer: Box | undefined, type: string): Promise<Box | undefined> =>
  outer && (await boxesIn(reader, outer.start, outer.end))?.find((box) => box.type === type);

const contentOf = (reader: Reader, { start, end }: Box): Promise<Buffer> =>
  reader.read(start, Math.min(end - start, LIST_MAX_BYTES));

/** Units of time in a second (ISO/IEC 14496-12 §8.2.2). */
async function timescaleOf(reader: Reader, movie: Box): Promise<number> {
  const header = await inside(reader, movie, 'mvhd');
  const body = header && (await contentOf(reader, header));
  return body ? body.readUInt32BE(body[0] === 1 ? 20 : 12) : 0;
}

/** How long a track is shown, in units of the movie (§8.6.6); Infinity without a list that limits it. */
async function shownUnits(reader: Reader, track: Box): Promise<number> {
  const list = await inside(reader, await inside(reader, track, 'edts'), 'elst');
  if (!list) return Infinity;
  const body = await contentOf(reader, list);
  const isLong = body[0] === 1;
  const size = isLong ? 20 : 12;
  const count = body.readUInt32BE(4);
  if (8 + count * size > body.length) return Infinity;
  const edits = Array.from({ length: count }, (_, index) =>
    isLong ? Number(body.readBigUInt64BE(8 + index * size)) : body.readUInt32BE(8 + index * size),
  );
  // 0 is until the end, whatever that will be.
  return edits.length === 0 || edits.includes(0) ? Infinity : edits.reduce((sum, units) => sum + units);
}

async function isSeenOrHeard(reader: Reader, track: Box): Promise<boolean> {
  const handler = await inside(reader, await inside(reader, track, 'mdia'), 'hdlr');
  const type = handler && (await contentOf(reader, handler)).toString('latin1', HANDLER_AT, HANDLER_AT + 4);
  return type === 'vide' || type === 'soun';
}

async function shownIn(reader: Reader): Promise<number> {
  const movie = (await boxesIn(reader, 0, reader.size))?.find(({ type }) => type === 'moov');
  const boxes = movie && (await boxesIn(reader, movie.start, movie.end));
  // A fragmented film has its list before its length is known.
  if (!boxes || boxes.some(({ type }) => type === 'mvex')) return Infinity;
  const units: number[] = [];
  for (const track of boxes.filter(({ type }) => type === 'trak')) {
    if (await isSeenOrHeard(reader, track)) units.push(await shownUnits(reader, track));
  }
  return Math.max(...units) / (await timescaleOf(reader, movie));
}

/**
 * For how many seconds players show an MP4 or MOV, by its edit lists: editors cut off an end without removing it. Infinity
 * where no list limits it, where none can be read, and for all other files.
 */
export async function shownSeconds(file: string): Promise<number> {
  const seconds = await readingFrom(file, shownIn).catch(() => Infinity);
  return seconds > 0 ? seconds : Infinity;
}
