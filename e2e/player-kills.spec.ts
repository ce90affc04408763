import type { Play } from '@ams/contract';
import { type FragileBrowser, Stand, item, programme, state } from './device.ts';
import { Film, type Sample } from './glass.ts';
import { type Page, expect, test } from './stories.ts';

/** A device whose power goes at any moment: what it reports is what the glass showed. */
const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterAll(() => stand.end());

const SECONDS = 2;
const FRAMES_A_SECOND = 30;
/** How much greener each frame is than the one before. */
const GREEN_A_FRAME = 4;
/** How red the frames of each video are. */
const REDS = [40, 200];
/** A play is stored as early before its end as the next one needs to start, at most this (`LEAD_MAX_MS`), and frames are seen late. */
const END_MS = 500;
/** How late a busy computer films a frame. */
const LATE_MS = 700;

/** A video whose frames tell which video they are of, and which of its frames. */
const coded = (red: number) => stand.coded(`coded-${red}`, SECONDS, `geq=r=${red}:g=${GREEN_A_FRAME}*N:b=128`);

/** A play as a camera in front of the glass sees it. Times are milliseconds since 1970. */
interface Seen {
  sha256: string;
  begunAt: number;
  /** When the next one began; undefined when the film ends before. */
  endedAt: number | undefined;
  /** How far into the video the last frame of it was, milliseconds. */
  reachedMs: number;
}

/** The plays in a film. What is dark, such as the page before the first frame, is none. */
function playsIn(film: readonly Sample[], videos: readonly { sha256: string }[]): Seen[] {
  const plays: Seen[] = [];
  for (const { at, red, green, blue } of film) {
    if (Math.abs(blue - 128) > 30) continue;
    const video = videos[Math.abs(red - (REDS[0] ?? 0)) < Math.abs(red - (REDS[1] ?? 0)) ? 0 : 1];
    if (!video) throw new Error('two videos were made');
    const reachedMs = (green / GREEN_A_FRAME / FRAMES_A_SECOND) * 1000;
    const last = plays.at(-1);
    if (last?.sha256 === video.sha256) {
      last.reachedMs = Math.max(last.reachedMs, reachedMs);
      continue;
    }
    if (last) last.endedAt = at;
    plays.push({ sha256: video.sha256, begunAt: at - reachedMs, endedAt: undefined, reachedMs });
  }
  return plays;
}

const reported = (): Play[] => [...stand.server.batches.values()].flat().map((play) => play as Play);

const startOf = ({ at }: Play): number => Date.parse(at);

/** Compares what was seen with what was reported. */
function differences(seen: readonly Seen[], reports: readonly Play[]): string[] {
  const left = [...reports];
  const found: string[] = [];
  for (const { sha256, begunAt, endedAt, reachedMs } of seen) {
    const index = left.findIndex((play) => play.sha256 === sha256 && Math.abs(startOf(play) - begunAt) < LATE_MS);
    const report = index < 0 ? undefined : left.splice(index, 1)[0];
    const what = `${sha256.slice(0, 6)} begun at ${new Date(begunAt).toISOString()}`;
    if (endedAt !== undefined && !report) found.push(`lost: ${what}`);
    if (endedAt === undefined && report && reachedMs < SECONDS * 1000 - END_MS)
      found.push(`not shown to its end: ${what}`);
  }
  return [...found, ...left.map(({ sha256, at }) => `not shown: ${sha256.slice(0, 6)} begun at ${at}`)];
}

/** One life of the device: from its start until its power goes, `playMs` after it plays. */
async function live(browser: FragileBrowser, playMs: number): Promise<Sample[]> {
  const page: Page = await browser.start(stand.address());
  const film = await Film.of(page);
  await expect.poll(() => state(page).catch(() => null), { intervals: [50], timeout: 60_000 }).toBe('playing');
  await page.waitForTimeout(playMs);
  await browser.kill();
  return film.samples();
}

for (const during of ['playback', 'downloads'] as const) {
  test(`a device killed during ${during} reports what the glass showed, and loses no play that had ended`, async ({
    browserName: _,
  }, { project }) => {
    const kills = project.name === 'long' ? 20 : 3;
    test.setTimeout(60_000 + kills * 60_000);
    const videos = REDS.map(coded);
    stand.server.slowBytes = Infinity;
    stand.server.batches.clear();
    stand.release(programme({ full: videos.map((video) => item(video, SECONDS * 1000)) }));
    const browser = stand.fragile(`killed-${during}`);
    await live(browser, 500);
    const next = stand.large(during === 'playback' ? 11 : 13);
    if (during === 'downloads') {
      stand.server.slowBytes = 20_000;
      stand.release(programme({ full: [...videos.map((video) => item(video, SECONDS * 1000)), item(next)] }));
    }
    const begunAt = Date.now();
    const seen: Seen[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const film = await live(browser, SECONDS * 1000 * (1 + Math.random() * 1.5));
      seen.push(...playsIn(film, videos));
    }
    const endedAt = Date.now();
    expect(seen.filter((play) => play.endedAt !== undefined).length).toBeGreaterThanOrEqual(kills);
    const ofLives = () => reported().filter((play) => startOf(play) >= begunAt && startOf(play) < endedAt);
    // A last life reports what the one before it stored.
    await browser.start(stand.address());
    await expect.poll(() => differences(seen, ofLives()), { timeout: 60_000 }).toEqual([]);
    await browser.kill();
    // Each batch counts once on the server, and no play is in two of them.
    const names = ofLives().map(({ sha256, at }) => `${sha256} ${at}`);
    expect(new Set(names).size).toBe(names.length);
    if (during === 'downloads') expect(next.ranges.length).toBeGreaterThanOrEqual(kills / 2);
  });
}
