import { type Media, type Programme, type ProgrammeItem, QR_PERCENT, type Region, regionsOfSplit } from '@ams/contract';
import { QUIET_MODULES, qrPath } from '@ams/player/qr-path';
import sharp, { type OverlayOptions } from 'sharp';

/** The current content of each region of a screen. */
export interface Showing {
  programme: Programme;
  items: ReadonlyMap<Region, ProgrammeItem>;
}

interface Size {
  width: number;
  height: number;
}

interface Box extends Size {
  left: number;
  top: number;
}

/** Pixels: enough for a person to see what is on. */
const LONGEST = 640;

/** Rectangles of a programme's regions on a screen of this size. */
function boxesOf({ orientation, split }: Programme, { width, height }: Size): [Region, Box][] {
  const upright = orientation === 'vertical';
  let begun = 0;
  return (regionsOfSplit(orientation, split) ?? []).map(({ region, share }) => {
    const whole = upright ? height : width;
    const [start, end] = [Math.round(begun * whole), Math.round((begun + share) * whole)];
    begun += share;
    const box = upright
      ? { left: 0, top: start, width, height: end - start }
      : { left: start, top: 0, width: end - start, height };
    return [region, box];
  });
}

/** Stands for a film, which is not decoded: a ground of its own colour and the sign for playing. */
function filmSign({ width, height }: Size, sha256: string): Buffer {
  const hue = Number.parseInt(sha256.slice(0, 4), 16) % 360;
  const side = Math.min(width, height) / 6;
  const [x, y] = [width / 2, height / 2];
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="100%" height="100%" fill="hsl(${hue} 45% 32%)"/>
      <path d="M${x - side} ${y - side}v${2 * side}l${1.7 * side} ${-side}z" fill="#fff" fill-opacity=".85"/>
    </svg>`,
  );
}

/** The bytes of a picture, or undefined when they cannot be had. */
type PictureOf = (sha256: string) => Promise<Buffer | undefined>;

const FILE_SOURCES: Record<Media, (sha256: string, box: Size, pictureOf: PictureOf) => Promise<Buffer>> = {
  image: async (sha256, box, pictureOf) => (await pictureOf(sha256)) ?? filmSign(box, sha256),
  video: async (sha256, box) => filmSign(box, sha256),
};

function sourceOf(item: ProgrammeItem, box: Size, pictureOf: PictureOf): Promise<Buffer> {
  switch (item.kind) {
    case 'file':
      return FILE_SOURCES[item.media](item.sha256, box, pictureOf);
  }
}

async function partOf(item: ProgrammeItem, box: Box, fit: Programme['fit'], pictureOf: PictureOf): Promise<Buffer> {
  const source = await sourceOf(item, box, pictureOf);
  const { width, height } = box;
  return sharp(source).autoOrient().resize({ width, height, fit, background: '#000' }).png().toBuffer();
}

/** Distances of a code from the edges of the screen, in percent of the shorter one: the player's own. */
const CODE_INSET = { edge: 3, belowClock: 13 };

/** The QR code of a programme in its corner. `origin`: of the server, to which short links are relative. */
function codeOf({ qr, showClock }: Programme, { width, height }: Size, origin: string): OverlayOptions[] {
  if (!qr) return [];
  const percent = Math.min(width, height) / 100;
  const edge = Math.round(QR_PERCENT[qr.size] * percent);
  const [isTop, isLeft] = [qr.corner.startsWith('top'), qr.corner.endsWith('Left')];
  const aside = Math.round(CODE_INSET.edge * percent);
  const below = Math.round((isTop && showClock ? CODE_INSET.belowClock : CODE_INSET.edge) * percent);
  const { d, size } = qrPath(new URL(qr.address, origin).href);
  const whole = size + 2 * QUIET_MODULES;
  const input = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}"
      viewBox="${-QUIET_MODULES} ${-QUIET_MODULES} ${whole} ${whole}">
      <rect x="${-QUIET_MODULES}" y="${-QUIET_MODULES}" width="${whole}" height="${whole}" fill="#fff"/>
      <path d="${d}" fill="#0b1020"/>
    </svg>`,
  );
  const [left, top] = [isLeft ? aside : width - aside - edge, isTop ? below : height - below - edge];
  return [{ input, left, top }];
}

/** Picture of a screen of this size, as JPEG; black if nothing plays. `origin`: of the server. */
export async function drawScreen(
  screen: Size,
  showing: Showing | undefined,
  origin: string,
  pictureOf: PictureOf,
): Promise<Blob> {
  const scale = Math.min(1, LONGEST / Math.max(screen.width, screen.height));
  const size = { width: Math.round(screen.width * scale), height: Math.round(screen.height * scale) };
  const parts: OverlayOptions[] = [];
  for (const [region, box] of showing ? boxesOf(showing.programme, size) : []) {
    const item = showing?.items.get(region);
    if (!item) continue;
    const input = await partOf(item, box, showing?.programme.fit ?? 'contain', pictureOf);
    parts.push({ input, left: box.left, top: box.top });
  }
  if (showing) parts.push(...codeOf(showing.programme, size, origin));
  const ground = sharp({ create: { ...size, channels: 3, background: '#000' } });
  const jpeg = await ground.composite(parts).jpeg({ quality: 75 }).toBuffer();
  return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' });
}
