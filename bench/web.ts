import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { weigh } from '../e2e/weight.ts';
import { percentile } from '../e2e/percentile.ts';
import { load, median, verdict } from './figures.ts';
import { makeFleet, startFleets } from './fleets.ts';
import { openSession, type Session } from './processes.ts';
import { AD, fillAd } from './rows.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update'];
const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 100_000);
const PHONE = { width: 390, height: 844 };
const RUNS = Number(process.env['BENCH_RUNS'] ?? 3);

/** Goals: Lighthouse's performance, and its total blocking time. */
const PERFORMANCE = 95;
const BLOCKED_MS = 200;
/** Goals of the script of a page, compressed, in kB. */
const SCRIPT_KB: Partial<Record<string, number>> = { login: 140, home: 190, devices: 220 };

/** Rows that are scrolled through, at a fourth of the processor's speed. */
const SCROLLED = 10_000;
const ROW_PX = 146;
const SLOWDOWN = 4;
const SLOW_FRAME_MS = 50;
const SLOW_FRAMES_SHARE = 0.01;

interface Visit {
  name: string;
  path: string;
  /** Absent before signing in. */
  session?: Session;
}

const storedToken = ({ token, expires }: Session): string => JSON.stringify({ token, expires });

/** A page in a browser that has visited nothing yet. */
async function firstVisit(browser: Browser, origin: string, session?: Session): Promise<Page> {
  const localStorage = session ? [{ name: 'ams_token', value: storedToken(session) }] : [];
  const context = await browser.newContext({
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
    locale: 'en',
    serviceWorkers: 'block',
    baseURL: origin,
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  return context.newPage();
}

/** The page is there, and asks for no more: its stream of events never ends, so that the network is never idle. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await sleep(3000);
}

/** Script and style that a first visit loads, compressed, with their headers. */
async function weighPages(origin: string, visits: readonly Visit[]): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    for (const { name, path, session } of visits) {
      const page = await firstVisit(browser, origin, session);
      const weight = await weigh(await page.context().newCDPSession(page));
      await page.goto(path);
      await settled(page);
      const [script, style] = [weight().script / 1000, weight().style / 1000];
      const goal = SCRIPT_KB[name];
      const reached = goal === undefined ? '' : `, goal ${goal}: ${verdict(script <= goal)}`;
      console.log(`${name}: ${script.toFixed(1)} kB of script${reached}; ${style.toFixed(1)} kB of style`);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
}

interface Judgement {
  performance: number;
  blockedMs: number;
  paintMs: number;
  /** How fast Lighthouse finds this computer before it slows it down to a fourth: 1,500 to 2,000 is a fast desktop. */
  speed: number;
}

/**
 * Lighthouse's judgement of a first visit on its simulated phone, scores of 100; undefined when Chromium's trace lacks its
 * beginning, as happens now and then.
 */
async function judge(origin: string, { path, session }: Visit): Promise<Judgement | undefined> {
  const chrome = await launch({ chromePath: CHROMIUM, chromeFlags: [...FLAGS, '--headless=new'] });
  try {
    if (session) await signIn(`http://127.0.0.1:${chrome.port}`, origin, session);
    const result = await lighthouse(origin + path, {
      port: chrome.port,
      onlyCategories: ['performance'],
      // Only the session is stored there.
      disableStorageReset: true,
      // The stream of events never ends, so that the network is never idle: by then everything else has come.
      maxWaitForLoad: 20_000,
    });
    const failure = result?.lhr.runtimeError;
    if (failure?.code === 'NO_NAVSTART') return undefined;
    if (failure) throw new Error(`Lighthouse cannot judge ${path}: ${failure.message}`);
    const audits = result?.lhr.audits ?? {};
    const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
    if (process.env['BENCH_REPORT'] && result) writeFileSync(process.env['BENCH_REPORT'], JSON.stringify(result.lhr));
    return {
      performance: Math.round((result?.lhr.categories['performance']?.score ?? 0) * 100),
      blockedMs: value('total-blocking-time'),
      paintMs: value('largest-contentful-paint'),
      speed: result?.lhr.environment.benchmarkIndex ?? Number.NaN,
    };
  } finally {
    chrome.kill();
  }
}

/** Stores the session as the app does, without showing the app. */
async function signIn(debugger_: string, origin: string, session: Session): Promise<void> {
  const browser = await chromium.connectOverCDP(debugger_);
  const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
  await page.goto(`${origin}/favicon.svg`);
  await page.evaluate((token) => localStorage.setItem('ams_token', token), storedToken(session));
  await page.close();
  await browser.close();
}

async function judgePages(origin: string, visits: readonly Visit[]): Promise<void> {
  for (const visit of visits) {
    const found: Judgement[] = [];
    for (let tries = 0; found.length < RUNS; tries += 1) {
      if (tries === 2 * RUNS) throw new Error(`${visit.name}: too many traces lack their beginning`);
      const judgement = await judge(origin, visit);
      if (judgement) found.push(judgement);
    }
    const all = (key: keyof Judgement): string => found.map((each) => each[key].toFixed(0)).join(', ');
    const reached = found.every((each) => each.performance >= PERFORMANCE && each.blockedMs < BLOCKED_MS);
    console.log(
      `${visit.name}: performance ${all('performance')}, blocked ${all('blockedMs')} ms, largest paint ${all('paintMs')} ms: ${verdict(reached)} (speed ${all('speed')}; ${load()})`,
    );
  }
}

/** Scrolls through the device list, a screen at a time, and measures the frames and the memory meanwhile. */
async function scrollDevices(origin: string, session: Session): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, '--enable-precise-memory-info'] });
  try {
    const page = await firstVisit(browser, origin, session);
    const cdp = await page.context().newCDPSession(page);
    await page.goto('/mac');
    await page.getByTestId('device').first().waitFor();
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const heaps: number[] = [];
    const frames: number[] = [];
    for (let tenth = 1; tenth <= 10; tenth += 1) {
      frames.push(...(await page.evaluate(scrollTo, (tenth * SCROLLED * ROW_PX) / 10)));
      await cdp.send('HeapProfiler.collectGarbage');
      const { usedSize } = await cdp.send('Runtime.getHeapUsage');
      heaps.push(usedSize / 2 ** 20);
    }
    const slow = frames.filter((ms) => ms > SLOW_FRAME_MS).length / frames.length;
    console.log(
      `scrolling ${SCROLLED} devices at ${SLOWDOWN} times throttle: ${frames.length} frames, median ${median(frames).toFixed(1)} ms, p99 ${percentile(frames, 0.99).toFixed(1)} ms, ${(slow * 100).toFixed(2)} % over ${SLOW_FRAME_MS} ms: ${verdict(slow <= SLOW_FRAMES_SHARE)} (${load()})`,
    );
    console.log(`heap in MiB after each tenth: ${heaps.map((heap) => heap.toFixed(1)).join(', ')}`);
  } finally {
    await browser.close();
  }
}

/** Runs in the page: scrolls by steps as a finger does until `end`, waiting for rows, and returns the frames' times. */
function scrollTo(end: number): Promise<number[]> {
  const STEP_PX = 120;
  return new Promise((resolve) => {
    const frames: number[] = [];
    let last = performance.now();
    const frame = (now: number): void => {
      frames.push(now - last);
      last = now;
      if (window.scrollY >= end) return resolve(frames);
      window.scrollBy(0, STEP_PX);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** The operators' app with 100,000 devices: bytes, Lighthouse's verdict on first visits, and scrolling. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const { db, ams } = await makeFleet(await startFleets(folder, ends), folder, DEVICES, ends);
  await fillAd(db);
  const session = await openSession(ams.origin);
  const visits: Visit[] = [
    { name: 'login', path: '/login' },
    { name: 'home', path: '/', session },
    { name: 'devices', path: '/mac', session },
    { name: 'release', path: `/release/${session.userId}/1/1?ad=${AD}`, session },
    { name: 'campaign', path: `/campaigns/new?ad=${AD}`, session },
  ];
  await weighPages(ams.origin, visits);
  await judgePages(ams.origin, visits);
  await scrollDevices(ams.origin, session);
}
