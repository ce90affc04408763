import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat, numberFormat } from '../../platform/intl.ts';

/** A line through instants, or bars over days or hours by the clock on the wall. */
export type PlotKind = 'line' | 'days' | 'hours';

interface PlotOptions {
  kind: PlotKind;
  language: string;
  /** From this point on, bars are hatched: their time is not over. */
  unfinished: number;
  /** The point under the finger or pointer; undefined when it left. */
  onRead: (index: number | undefined) => void;
}

const HEIGHT = 168;
/** More bars than this would be hairs: they become a line. */
const BARS_MAX = 70;
const HALF_SECONDS: Record<PlotKind, number> = { line: 0, days: 43_200, hours: 1800 };
const BAR_SHARE = 0.62;
const BAR_WIDTH_MAX = 28;
const LABEL_WIDTH = 48;
const SIDE_WIDTH_MIN = 38;
const SIDE_GAP = 14;
const FONT = '12px system-ui, sans-serif';

/** Colours of the tokens as the element's style resolved them, for the canvas. */
const inkOf = (element: HTMLElement) => getComputedStyle(element).color;
const lineOf = (element: HTMLElement) => getComputedStyle(element).borderTopColor;
const accentOf = (element: HTMLElement) => getComputedStyle(element).caretColor;

/** A colour of the tokens, let through. */
const thin = (colour: string, opacity: number): string => colour.replace(/rgb\((.*)\)/, `rgba($1, ${opacity})`);

/** Bars whose time is not over are pale with a dashed outline, which is drawn once their places are known. */
function makeUnfinished(element: HTMLElement, from: number) {
  const boxes = new Map<number, [left: number, top: number, width: number, height: number]>();
  const each: uPlot.Series.BarsPathBuilderOpts['each'] = (_, __, index, ...box) => {
    if (index >= from && box[3] > 1) boxes.set(index, box);
  };
  const fill: uPlot.Series.BarsPathBuilderFacet = {
    unit: 3,
    values: (u) => Array.from(u.data[0], (_, index) => thin(accentOf(element), index < from ? 1 : 0.3)),
  };
  const outline = ({ ctx }: uPlot): void => {
    ctx.save();
    ctx.strokeStyle = accentOf(element);
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const box of boxes.values()) ctx.strokeRect(...box);
    ctx.restore();
  };
  return { each, fill, outline };
}

/** What was planned: a dashed line in the colour of the labels. */
const planSeries = (element: HTMLElement): uPlot.Series => ({
  stroke: () => inkOf(element),
  width: 2,
  dash: [5, 4],
  points: { show: false },
});

type Unfinished = ReturnType<typeof makeUnfinished>;

function seriesOf(element: HTMLElement, bars: boolean, { each, fill }: Unfinished): uPlot.Series {
  const tint = (u: uPlot) => {
    const fade = u.ctx.createLinearGradient(0, u.bbox.top, 0, u.bbox.top + u.bbox.height);
    fade.addColorStop(0, thin(accentOf(element), 0.28));
    fade.addColorStop(1, thin(accentOf(element), 0));
    return fade;
  };
  if (!bars) return { stroke: () => accentOf(element), width: 2, fill: tint, points: { show: false } };
  return {
    stroke: () => accentOf(element),
    fill: () => accentOf(element),
    width: 0,
    paths: uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_WIDTH_MAX], radius: 0.25, disp: { fill }, each }),
    points: { show: false },
  };
}

/** A label under every bar, or under every second, third … where they would touch; the last bar keeps its own. */
function underBars(u: uPlot): number[] {
  const days = [...u.data[0]];
  const step = Math.ceil((days.length * LABEL_WIDTH) / Math.max(u.width, LABEL_WIDTH));
  return days.filter((_, index) => (days.length - 1 - index) % step === 0);
}

/** Without marks of direction, which would turn a date's parts around: the canvas writes from left to right. */
const plain = (text: string): string => text.replace(/[\u200e\u200f\u061c]/g, '');

/** Room for the longest label at the side: in some languages no number is short. */
function widthOf({ ctx }: uPlot, labels: string[] | null): number {
  if (!labels) return SIDE_WIDTH_MIN;
  ctx.save();
  ctx.font = FONT;
  const widest = Math.max(...labels.map((label) => ctx.measureText(label).width));
  ctx.restore();
  return Math.max(SIDE_WIDTH_MIN, Math.ceil(widest) + SIDE_GAP);
}

function axesOf(element: HTMLElement, { kind, language }: PlotOptions, rtl: boolean): uPlot.Axis[] {
  const dates = dateLocale(language);
  const wall = kind === 'line' ? {} : { timeZone: 'UTC' };
  const clock = dateFormat(dates, { hour: 'numeric', ...wall });
  const day = dateFormat(dates, { month: 'numeric', day: 'numeric', ...wall });
  const count = numberFormat(language, { notation: 'compact' });
  const shared: uPlot.Axis = { stroke: () => inkOf(element), font: FONT, ticks: { show: false } };
  const times = kind === 'days' ? day : clock;
  return [
    {
      ...shared,
      grid: { show: false },
      size: 26,
      ...(kind !== 'line' && { splits: underBars }),
      space: kind === 'line' ? 64 : 44,
      values: (_, splits) => splits.map((second) => plain(times.format(new Date(second * 1000)))),
    },
    {
      ...shared,
      grid: { stroke: () => lineOf(element), width: 1 },
      side: rtl ? 1 : 3,
      size: widthOf,
      space: 36,
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
      values: (_, splits) => splits.map((value) => count.format(value)),
    },
  ];
}

/** uPlot follows the mouse; a finger (or pen) is led here, vertical swipes stay with the page. */
function followTouch(u: uPlot, signal: AbortSignal): void {
  const move = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return;
    const { left, top } = u.over.getBoundingClientRect();
    u.setCursor({ left: event.clientX - left, top: event.clientY - top });
  };
  u.over.style.touchAction = 'pan-y';
  u.over.addEventListener('pointerdown', move, { signal });
  u.over.addEventListener('pointermove', move, { signal });
}

/** Draws a history into `element` and keeps it drawn as size and colours change. Returns what ends it. */
export function plot(element: HTMLElement, data: uPlot.AlignedData, options: PlotOptions): () => void {
  const stop = new AbortController();
  const half = HALF_SECONDS[options.kind];
  const bars = options.kind !== 'line' && data[0].length <= BARS_MAX;
  const rtl = document.documentElement.dir === 'rtl';
  const unfinished = makeUnfinished(element, options.unfinished);
  const u = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: rtl ? [8, 0, 0, 18] : [8, 18, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { setScale: false, x: false, y: false },
        points: { size: 9, stroke: () => accentOf(element), fill: () => accentOf(element) },
      },
      scales: {
        x: { dir: rtl ? -1 : 1, range: (_, min, max) => [min - half, max + half] },
        y: { range: (_, __, max) => [0, Math.max(max * 1.1, 4)] },
      },
      series: [{}, seriesOf(element, bars, unfinished), ...(data.length > 2 ? [planSeries(element)] : [])],
      axes: axesOf(element, options, rtl),
      hooks: {
        setCursor: [(chart) => options.onRead(chart.cursor.idx ?? undefined)],
        draw: bars ? [unfinished.outline] : [],
      },
    },
    data,
    element,
  );
  followTouch(u, stop.signal);
  // It is told of the size at once, too: that would draw the chart twice.
  const size = new ResizeObserver(() => {
    if (u.width !== element.clientWidth) u.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  size.observe(element);
  const { signal } = stop;
  // Bars keep the colors that their paths were made with.
  const redraw = () => u.redraw();
  const scheme = new MutationObserver(redraw);
  scheme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal });
  // Paper is white, whatever the theme.
  const colored = (name: 'light' | '') => () => {
    element.style.colorScheme = name;
    redraw();
  };
  addEventListener('beforeprint', colored('light'), { signal });
  addEventListener('afterprint', colored(''), { signal });
  return () => {
    stop.abort();
    size.disconnect();
    scheme.disconnect();
    u.destroy();
  };
}
