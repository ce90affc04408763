// @vitest-environment happy-dom
import type { Programme, ProgrammeItem } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeManifest, makeProgramme } from '../../test/programme.ts';
import { makeSpots } from './spots.ts';
import { type StagePorts, makeStage } from './stage.ts';

const MINUTE_MS = 60_000;
const START = Date.parse('2026-11-21T12:00:00Z');

const item = (sha256: string, durationMs = 1000): ProgrammeItem => ({
  sha256,
  kind: 'file',
  media: 'image',
  durationMs,
});

const programme = (name: string, over: Partial<Programme> = {}): Programme =>
  makeProgramme({ name, replace: false, regions: { full: [item(name)] }, ...over });

const campaign = (name: string, over: Partial<Programme> = {}): Programme =>
  programme(name, { pace: { everyMs: 10_000, from: new Date(START - MINUTE_MS).toISOString() }, ...over });

/**
 * Plays the programmes on a stage whose files are there unless they are `missing`; lists the files that it showed and the
 * releases whose plays it reported or that finished, in order.
 */
function staged(programmes: readonly Programme[], missing: string[]) {
  const shown: string[] = [];
  const finished: string[] = [];
  const reported: string[] = [];
  let kept: Parameters<typeof makeSpots>[0] = {};
  const spots = makeSpots({}, (counts) => (kept = counts));
  spots.follow(makeManifest({ screens: { main: [...programmes], secondary: [] } }), 'main');
  const open = vi.fn<StagePorts['open']>((sha256) =>
    Promise.resolve(missing.includes(sha256) ? undefined : { url: `blob:${sha256}`, release: () => undefined }),
  );
  const stage = makeStage(document.body, {
    screen: 'main',
    now: Date.now,
    open,
    sound: () => ({ isMuted: true, volume: 1 }),
    spots,
    onPlay: ({ releaseId }) => reported.push(releaseId),
    onSkip: () => undefined,
    onFinished: (releaseId) => finished.push(releaseId),
    onNow: (now) => now && shown.push(now.sha256),
    onEmpty: () => undefined,
  });
  stage.show(programmes);
  return { stage, shown, reported, finished, open, counts: () => kept };
}

/** Files whose name begins with this never finish decoding. */
const STALLS = 'stalls';
/** Files whose name begins with this take so long to be decoded, and as long again to be presented. */
const SLOW = 'slow';
const SLOW_MS = 3000;
const SAMPLE_MS = 100;

/** Lets time pass; answers for how many milliseconds of it the screen was empty. */
async function emptyWithin(ms: number): Promise<number> {
  let empty = 0;
  for (let passed = 0; passed < ms; passed += SAMPLE_MS) {
    await vi.advanceTimersByTimeAsync(SAMPLE_MS);
    if (!document.querySelector('.layer .shown')) empty += SAMPLE_MS;
  }
  return empty;
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(function (this: HTMLImageElement) {
    if (this.src.includes(STALLS)) return new Promise(() => undefined);
    return this.src.includes(SLOW) ? new Promise((resolve) => setTimeout(resolve, SLOW_MS)) : Promise.resolve();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  document.body.replaceChildren();
});

test('a campaign that cannot play is passed over: the other one plays', async () => {
  const [broken, works] = [campaign('broken'), campaign('works')];
  const { shown, counts } = staged([broken, works], ['broken']);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown)).toEqual(new Set(['works']));
  expect(counts()).toMatchObject({ [works.releaseId]: { played: shown.length } });
});

const often = (name: string): Programme =>
  campaign(name, { pace: { everyMs: 1000, from: new Date(START - MINUTE_MS).toISOString() } });

test('a campaign that cannot play leaves no gap between the spots of another one', async () => {
  const { shown } = staged([campaign('broken'), often('works')], ['broken']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await emptyWithin(5 * MINUTE_MS)).toBe(0);
  expect(shown.length).toBeGreaterThan(290);
});

test.each([1, 3, 8])(
  'a campaign of %d files that stall holds others up ever less, and empties no screen',
  async (files) => {
    const regions = { full: Array.from({ length: files }, (_, index) => item(`${STALLS}${index}`)) };
    const { shown } = staged([campaign('stalls', { regions }), often('works')], []);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(await emptyWithin(10 * MINUTE_MS)).toBe(0);
    expect(shown.length).toBeGreaterThan(450);
  },
);

test.each([
  [2, 1000],
  [7, 1000],
  [2, MINUTE_MS],
])('a campaign plays its good file after %d that stall, beside spots of %d ms', async (count, durationMs) => {
  const stalling = Array.from({ length: count }, (_, index) => item(`${STALLS}${index}`));
  const stalls = campaign('stalls', { regions: { full: [...stalling, item('good')] } });
  const { shown } = staged([stalls, { ...often('works'), regions: { full: [item('works', durationMs)] } }], []);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(shown).toContain('good');
});

test.each<Programme['playMode']>(['sequence', 'shuffle'])(
  'a campaign whose last file cannot play keeps its pace with the others: %s',
  async (playMode) => {
    const pace = { everyMs: 5 * MINUTE_MS, from: new Date(START - MINUTE_MS).toISOString() };
    const partial = campaign('partial', { pace, playMode, regions: { full: [item('works'), item('broken')] } });
    const { shown, counts } = staged([programme('fill'), partial], ['broken']);
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(shown.filter((sha256) => sha256 === 'works').length).toBeLessThan(15);
    expect(counts()[partial.releaseId]?.played).toBeGreaterThan(10);
  },
);

test('a spot that is withdrawn before one of its files has played does not count', async () => {
  const spot = campaign('spot', { regions: { full: [item('long', MINUTE_MS)] } });
  const { stage, counts } = staged([spot, programme('fill')], []);
  await vi.advanceTimersByTimeAsync(30_000);
  stage.show([programme('fill')]);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(counts()).toEqual({});
});

test('a campaign of files that stall holds up the fill ever less', async () => {
  const regions = { full: ['a', 'b', 'c', 'd'].map((name) => item(`${STALLS} ${name}`)) };
  const { shown } = staged([programme('fill'), campaign('stalls', { regions })], []);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(await emptyWithin(10 * MINUTE_MS)).toBe(0);
  expect(shown.length).toBeGreaterThan(450);
});

test('the last picture stays when what should follow cannot play and nothing else is due, unless it was withdrawn', async () => {
  const [breaks, works] = [often('breaks'), campaign('works')];
  const missing: string[] = [];
  const { stage } = staged([breaks, works], missing);
  await vi.advanceTimersByTimeAsync(25_000);
  missing.push('breaks');
  expect(await emptyWithin(4000)).toBe(0);
  stage.show([works]);
  await vi.advanceTimersByTimeAsync(SAMPLE_MS);
  expect(document.querySelector('[data-sha256=breaks]')).toBeNull();
});

test.each([
  ['is decoded', SLOW_MS - 500],
  ['is about to be presented', 2 * SLOW_MS - 500],
])('what was replaced does not come back because its turn ends while its successor %s', async (_when, leftMs) => {
  const old = ['a', 'b'].map((name) => programme(`old ${name}`, { regions: { full: [item(name, 10_000)] } }));
  const { stage, shown, reported } = staged(old, []);
  await vi.advanceTimersByTimeAsync(10_000 - leftMs);
  const next = programme(SLOW);
  stage.show([next]);
  await vi.advanceTimersByTimeAsync(20_000);
  shown.length = reported.length = 0;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(new Set(shown)).toEqual(new Set([SLOW]));
  expect(new Set(reported)).toEqual(new Set([next.releaseId]));
});

/** A campaign that is due once, with one picture of 10 s above and another one below. */
const halves = (top: string, bottom: ProgrammeItem[]): Programme =>
  campaign('halves', {
    orientation: 'vertical',
    split: 'two',
    regions: { top: [item(top, 10_000)], bottom },
    pace: { everyMs: 60 * MINUTE_MS, from: new Date(START - 1).toISOString() },
  });

/** A campaign that becomes due, once, 5 s after the beginning. */
const later = (name: string, over: Partial<Programme> = {}): Programme =>
  campaign(name, { pace: { everyMs: 60 * MINUTE_MS, from: new Date(START + 5000).toISOString() }, ...over });

test('a campaign that stays on screen because the next one cannot play reports one spot', async () => {
  const stays = halves('picture', [item('picture', 10_000)]);
  const { reported, counts } = staged([stays, later('broken')], ['broken']);
  await vi.advanceTimersByTimeAsync(9000);
  expect(await emptyWithin(5 * MINUTE_MS)).toBe(0);
  expect(reported.length).toBeLessThanOrEqual(2);
  expect(counts()).toMatchObject({ [stays.releaseId]: { played: 1 } });
});

test('a campaign that has had its turn reports no more plays while the files of the next one stall', async () => {
  const regions = { full: [item(`${STALLS} a`), item(`${STALLS} b`)] };
  const stays = halves('top', [item('bottom')]);
  const { reported } = staged([stays, later('stalls', { regions })], []);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(reported.length).toBeLessThanOrEqual(11);
});

test('a screen is emptied again when nothing is due any more', async () => {
  const [shows, broken] = [halves('top', [item('bottom')]), later('broken')];
  const { stage } = staged([shows, broken], ['broken']);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(document.querySelector('.layer .shown')).not.toBeNull();
  stage.show([shows]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.querySelector('.layer .shown')).toBeNull();
});

test('a campaign whose leading region cannot play is passed over', async () => {
  const regions = { top: [item('lead', 2000)], bottom: [item('other')] };
  const { shown } = staged(
    [campaign('broken', { orientation: 'vertical', split: 'two', regions }), campaign('works')],
    ['lead'],
  );
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown)).toEqual(new Set(['works']));
});

test('while the leading region of the only fill cannot play, campaigns keep their pace', async () => {
  const regions = { top: [item('lead', 5000)], bottom: [item('other', 2000)] };
  const fill = programme('fill', { orientation: 'vertical', split: 'two', regions });
  const { shown } = staged(
    [fill, later('spot', { pace: { everyMs: MINUTE_MS, from: new Date(START).toISOString() } })],
    ['lead'],
  );
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(shown).toContain('other');
  expect(shown.filter((sha256) => sha256 === 'spot').length).toBeGreaterThanOrEqual(9);
});

test('with a fill that cannot play, spots play when they are due', async () => {
  const { shown } = staged([programme('fill'), campaign('spot')], ['fill']);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(shown.length).toBeGreaterThan(5);
});

test('a screen with nothing that can play keeps trying, at intervals, until a file comes', async () => {
  const missing = ['fill', 'spot'];
  const { shown, open } = staged([programme('fill'), campaign('spot')], missing);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(shown).toEqual([]);
  expect(open.mock.calls.length).toBeLessThan(50);
  missing.pop();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(shown).toContain('spot');
});

test('while the leading region cannot play, another one keeps reporting the content of the screen', async () => {
  const missing = ['lead'];
  const regions = { top: [item('lead', 5000)], bottom: [item('a'), item('b')] };
  const { shown } = staged([programme('split', { orientation: 'vertical', split: 'two', regions })], missing);
  await vi.advanceTimersByTimeAsync(4500);
  expect(shown).toEqual(['a', 'b', 'a', 'b', 'a']);
  missing.pop();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(new Set(shown.slice(-5))).toEqual(new Set(['lead']));
});

test('a spot that broke off is not counted as the next one', () => {
  const [broken, works] = [campaign('broken'), campaign('works')];
  let kept = {};
  const spots = makeSpots({}, (counts) => (kept = counts));
  spots.follow(makeManifest({ screens: { main: [broken, works], secondary: [] } }), 'main');
  for (const each of [broken, works]) spots.begun(0, each, START);
  spots.played();
  expect(kept).toMatchObject({ [broken.releaseId]: { played: 0 }, [works.releaseId]: { played: 1 } });
});

/** Plays once, with two files in its leading region above and one below. */
const onceAbove = (name: string): Programme =>
  programme(name, {
    orientation: 'vertical',
    playMode: 'once',
    split: 'two',
    regions: { top: [item('lead 1'), item('lead 2')], bottom: [item('below')] },
  });

test('what plays once has not done so while the files of its leading region are missing: it plays when they come', async () => {
  const once = onceAbove('once');
  const missing = ['lead 1', 'lead 2'];
  const { reported, finished, stage } = staged([once], missing);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(reported.length).toBeGreaterThan(10);
  expect([finished, document.querySelectorAll('.layer .shown')]).toMatchObject([[], { length: 1 }]);
  missing.length = 0;
  stage.forgive();
  await vi.waitFor(() => expect(finished[0]).toBe(once.releaseId));
});

test('what plays once and cannot leaves the screen to the others, and plays when its files come', async () => {
  const [once, usual] = [onceAbove('once'), programme('usual')];
  const missing = ['lead 1', 'lead 2'];
  const { shown, finished, stage } = staged([once, usual], missing);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([finished, new Set(shown)]).toEqual([[], new Set(['usual'])]);
  missing.length = 0;
  stage.forgive();
  await vi.waitFor(() => expect(finished[0]).toBe(once.releaseId));
});

test('what plays once has done so when one file of its leading region has played', async () => {
  const once = onceAbove('once');
  const { finished } = staged([once], ['lead 2']);
  await vi.waitFor(() => expect(finished[0]).toBe(once.releaseId));
});

test('what plays once has not done so in a hidden window; a spot has had its turn there', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const [once, spot] = [programme('once', { playMode: 'once' }), often('spot')];
  const { shown, reported, finished, counts } = staged([once, spot], []);
  await vi.waitFor(() => expect(counts()[spot.releaseId]?.played).toBeGreaterThan(3));
  expect(shown).toContain('once');
  expect([finished, reported]).toEqual([[], []]);
  hidden.mockReturnValue(false);
  await vi.waitFor(() => expect(finished[0]).toBe(once.releaseId));
  expect(reported).toContain(once.releaseId);
});

test('a play whose window was hidden for a while does not count, as it was not seen as a whole', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  const hide = (value: boolean) => {
    hidden.mockReturnValue(value);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const once = programme('once', { playMode: 'once', regions: { full: [item('once', MINUTE_MS)] } });
  const { finished, reported } = staged([once], []);
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 4);
  hide(true);
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  hide(false);
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  expect([finished, reported]).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([finished, reported]).toEqual([[once.releaseId], [once.releaseId]]);
});
