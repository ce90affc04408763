import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

const run = promisify(execFile);

/** Text and look of a generated picture or film. Sizes in pixels. */
export interface Art {
  width: number;
  height: number;
  /** Two or three lines of large text. */
  words: readonly string[];
  /** One line of small ones. */
  small: string;
  brand: string;
  /** Three colours of the ground, from its upper left to its lower right. */
  ground: readonly [string, string, string];
}

const FPS = 25;
const SECONDS = 8;
/** The ground of a film is so much larger than the film, which wanders over it. */
const ROOM = 1.5;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A gradient with soft lights. */
function groundOf({ ground: [first, second, third] }: Art, width: number, height: number): string {
  const lights = [
    { x: 0.85, y: 0.15, reach: 0.34, colour: third, opacity: 0.8 },
    { x: 0.1, y: 0.75, reach: 0.4, colour: first, opacity: 0.7 },
    { x: 0.6, y: 0.95, reach: 0.24, colour: '#ffffff', opacity: 0.2 },
  ].map(({ x, y, reach, colour, opacity }, index) => ({
    fill: `<radialGradient id="l${index}"><stop offset="0" stop-color="${colour}" stop-opacity="${opacity}"/>
      <stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`,
    shape: `<circle cx="${x * width}" cy="${y * height}" r="${reach * Math.max(width, height)}" fill="url(#l${index})"/>`,
  }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="${first}"/><stop offset="0.55" stop-color="${second}"/><stop offset="1" stop-color="${third}"/>
      </linearGradient>
      ${lights.map(({ fill }) => fill).join('')}
    </defs>
    <rect width="100%" height="100%" fill="url(#g)"/>
    ${lights.map(({ shape }) => shape).join('')}
  </svg>`;
}

/** Large text, a rule, small text and the brand on a transparent background. */
function wordsOf({ width, height, words, small, brand }: Art): string {
  const longest = Math.max(...words.map((line) => line.length));
  const size = Math.round(Math.min((width * 0.84) / (longest * 0.66), (height * 0.6) / (words.length + 1)));
  const left = Math.round(width * 0.08);
  const first = Math.round(height / 2 - ((words.length - 1) * size * 1.08) / 2 + size * 0.1);
  const lines = words
    .map((line, index) => `<text x="${left}" y="${first + index * size * 1.08}">${escaped(line)}</text>`)
    .join('');
  const below = first + (words.length - 1) * size * 1.08 + size * 0.42;
  const smallSize = Math.round(Math.min(size * 0.36, (width * 0.84) / (small.length * 0.56)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
      font-family="Inter, Noto Sans, Helvetica, Arial, sans-serif" fill="#ffffff">
    <g font-size="${size}" font-weight="800" letter-spacing="${-size * 0.02}">${lines}</g>
    <rect x="${left}" y="${below}" width="${size * 1.2}" height="${Math.max(3, size * 0.06)}" rx="2"/>
    <text x="${left}" y="${below + smallSize * 1.9}" font-size="${smallSize}" opacity="0.92">${escaped(small)}</text>
    <text x="${left}" y="${Math.round(height * 0.05 + smallSize)}" font-size="${Math.round(smallSize * 0.8)}"
      font-weight="600" letter-spacing="${smallSize * 0.12}" opacity="0.85">${escaped(brand.toUpperCase())}</text>
  </svg>`;
}

const drawn = (svg: string) => sharp(Buffer.from(svg));

/** A JPEG. */
export const drawPicture = (art: Art): Promise<Buffer> =>
  drawn(groundOf(art, art.width, art.height))
    .composite([{ input: Buffer.from(wordsOf(art)) }])
    .jpeg({ quality: 88 })
    .toBuffer();

/** An MP4 of eight seconds whose end meets its beginning: light that wanders behind words that breathe. */
export async function drawFilm(ffmpeg: string, art: Art): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-demo-'));
  const file = (name: string) => path.join(folder, name);
  const { width, height } = art;
  const held = `loop=${FPS * SECONDS - 1}:1,setpts=N/${FPS}/TB`;
  const turn = `2*PI*t/${SECONDS}`;
  const wander = `crop=${width}:${height}:x='(iw-ow)*(0.5-0.5*cos(${turn}))':y='(ih-oh)*(0.5+0.5*sin(${turn}))'`;
  const breathe = `overlay=x=0:y='${Math.round(height / 90)}*sin(${turn})'`;
  try {
    await Promise.all([
      drawn(groundOf(art, width * ROOM, height * ROOM))
        .png({ compressionLevel: 1 })
        .toFile(file('ground.png')),
      drawn(wordsOf(art)).png({ compressionLevel: 1 }).toFile(file('words.png')),
    ]);
    await run(ffmpeg, [
      ...['-v', 'error', '-nostdin', '-i', file('ground.png'), '-i', file('words.png')],
      ...['-filter_complex', `[0]format=yuv420p,${held},${wander}[ground];[1]${held}[words];[ground][words]${breathe}`],
      ...[
        '-r',
        String(FPS),
        '-c:v',
        'libx264',
        '-preset',
        'veryfast',
        '-crf',
        '19',
        '-pix_fmt',
        'yuv420p',
        '-movflags',
        '+faststart',
      ],
      file('film.mp4'),
    ]);
    return await readFile(file('film.mp4'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
