import type { Language, PlaysHistory } from '@ams/contract';
import { type Html, markup } from './html.ts';

const WIDTH = 760;
const HEIGHT = 220;
/** Space beside the last bar, for the highest number, and for the dates below. */
const EDGE = { side: 48, top: 18, bottom: 32 };
const PLOT_HEIGHT = HEIGHT - EDGE.top - EDGE.bottom;
/** Widest character of a number, and one of Chinese, Japanese or Korean, in the large letters of a phone. */
const DIGIT = 13;
const SQUARE = 22;
/** Between the numbers and the lines, and between two dates. */
const GAP = 8;
const LINES = 4;
const LABELS_MAX = 6;
/** Share of its column that a bar takes. */
const BAR = 0.72;

/** The next number that people count by: 1, 2 or 5 times a power of ten, at least `LINES`. */
function niceTop(max: number): number {
  const step = Math.max(1, max / LINES);
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((each) => each * power >= step) ?? 10;
  return factor * power * LINES;
}

const widthOf = (text: string): number =>
  Array.from(text, (sign) => (sign > '\u2e80' ? SQUARE : DIGIT)).reduce<number>((sum, width) => sum + width, 0);

const round = (value: number): number => Math.round(value * 100) / 100;

/** Plays per hour or day as an SVG of bars; mirrored for languages that are written from right to left. */
export function playsChart({ points, unit }: Pick<PlaysHistory, 'points' | 'unit'>, language: Language): Html {
  const mirrored = language === 'ar';
  const top = niceTop(Math.max(0, ...points.map(({ plays }) => plays)));
  const x = (from: number, width = 0) => round(mirrored ? WIDTH - from - width : from);
  const y = (plays: number) => round(EDGE.top + PLOT_HEIGHT * (1 - plays / top));
  const number = new Intl.NumberFormat(language);
  const lines = Array.from({ length: LINES + 1 }, (_, index) => (top / LINES) * index);
  const when = labels(unit, language);
  const label = Math.max(0, ...points.map(({ at }) => widthOf(when(at))));
  const start = Math.max(label / 2, GAP + Math.max(...lines.map((value) => widthOf(number.format(value)))));
  const side = Math.max(EDGE.side, label / 2);
  const column = (WIDTH - start - side) / Math.max(1, points.length);
  const fitting = Math.max(1, Math.floor((WIDTH - start - side) / (label + GAP)));
  const every = Math.ceil(points.length / Math.min(LABELS_MAX, fitting));
  const grid = lines.map(
    (value) => markup`<line class="grid" x1="${x(start)}" x2="${x(WIDTH - side)}" y1="${y(value)}" y2="${y(value)}"/>
<text x="${x(start - GAP)}" y="${y(value) + 4}" text-anchor="${mirrored ? 'start' : 'end'}">${number.format(value)}</text>`,
  );
  const bars = points.map(({ at, plays }, index) => {
    const from = start + index * column;
    const width = round(column * BAR);
    const height = round(EDGE.top + PLOT_HEIGHT - y(plays));
    const bar = markup`<rect class="bar" x="${x(from + (column - width) / 2, width)}" y="${y(plays)}" width="${width}" height="${height}"/>`;
    if (index % every > 0) return bar;
    return markup`${bar}<text x="${x(from + column / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${when(at)}</text>`;
  });
  return markup`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" direction="ltr">${grid}${bars}</svg>`;
}

/** Names of the points: `2026-11-21T13` or `2026-11-21`. */
function labels(unit: PlaysHistory['unit'], language: Language): (at: string) => string {
  if (unit === 'hour') return (at) => `${at.slice(11, 13)}:00`;
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return (at) => format.format(new Date(`${at}T00:00:00Z`));
}
