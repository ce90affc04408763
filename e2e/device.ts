import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Media, type Programme, type ProgrammeItem } from '@ams/contract';
import { type Browser, type BrowserContext, type Page, chromium } from '@playwright/test';
import { clip, makeMedia } from '@ams/player/test/clips';
import { type FakeFile, FakeServer } from '@ams/player/test/fake-server';
import { makeProgramme } from '@ams/player/test/programme';
import { CHROMIUM, KIOSK_ARGS, launchKiosk } from './kiosk.ts';
import { watchPolicy } from './stories.ts';

const PLAYER = path.resolve(import.meta.dirname, '../player');

export const MAC = '02:00:5e:00:00:01';
const IMAGE_MS = 400;

/** A server that misbehaves on order and the files it holds, for devices in a true browser. */
export class Stand {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'ams-device-'));
  server = new FakeServer();
  origin = '';
  readonly #contexts: BrowserContext[] = [];
  readonly #fragile: FragileBrowser[] = [];
  #made = new Map<string, Buffer<ArrayBuffer>>();

  async start(): Promise<void> {
    if (!existsSync(path.join(PLAYER, 'dist/sw.js'))) execFileSync('npx', ['vite', 'build'], { cwd: PLAYER });
    this.origin = await this.server.listen();
  }

  /** The network goes away; what the server knows stays. */
  stop = (): Promise<void> => this.server.close();

  /** It comes back at the same address. */
  async back(): Promise<void> {
    const { files, statuses, batches, programmes, secondary, settings, version, signature } = this.server;
    this.server = new FakeServer();
    for (const [sha256, file] of files) this.server.files.set(sha256, file);
    for (const [batch, plays] of batches) this.server.batches.set(batch, plays);
    this.server.statuses.push(...statuses);
    Object.assign(this.server, { programmes, secondary, settings, version, signature });
    await this.server.listen(Number(new URL(this.origin).port));
  }

  /** Switches its devices off, so that their reports do not disturb the next measurement. */
  async turnOff(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close().catch(() => undefined);
    for (const browser of this.#fragile.splice(0)) await browser.kill();
  }

  async end(): Promise<void> {
    await this.turnOff();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A device with a disk of its own. */
  async device(
    name: string,
    viewport = { width: 960, height: 540 },
    moreArgs: string[] = [],
  ): Promise<{ context: BrowserContext; page: Page }> {
    const device = await launchKiosk(path.join(this.folder, name), viewport, moreArgs);
    this.#contexts.push(device.context);
    return device;
  }

  /** A device whose power goes at any moment, with a disk of its own. */
  fragile(name: string): FragileBrowser {
    const browser = new FragileBrowser(path.join(this.folder, name));
    this.#fragile.push(browser);
    return browser;
  }

  address = (search = ''): string => `${this.origin}/player/?mac=${MAC}${search}`;

  #media(name: string, source: string): Buffer<ArrayBuffer> {
    const made = this.#made.get(name) ?? makeMedia(this.folder, name, source);
    this.#made.set(name, made);
    return made;
  }

  image = (colour: string): FakeFile =>
    this.server.addFile(this.#media(`${colour}.png`, clip(colour, 1, '640x360')), 'image/png');

  video = (colour: string, seconds: number): FakeFile =>
    this.server.addFile(this.#media(`${colour}-${seconds}.mp4`, clip(colour, seconds, '640x360')));

  /** A small video without sound whose frames a filter of ffmpeg draws in red, green and blue. */
  coded = (name: string, seconds: number, filter: string): FakeFile =>
    this.server.addFile(
      this.#media(`${name}.mp4`, `nullsrc=size=160x90:rate=30:duration=${seconds},format=gbrp,${filter}`),
    );

  /** A picture of some megabytes, as noise does not compress. `seed` makes another one. */
  large = (seed: number): FakeFile =>
    this.server.addFile(
      this.#media(`noise-${seed}.png`, `nullsrc=size=1000x1000,geq=random(${seed})*255:random(${seed + 1})*255:128`),
      'image/png',
    );

  /** Releases these programmes instead of what there was. */
  release(...programmes: Programme[]): void {
    this.server.programmes = programmes;
    this.server.version += 1;
  }
}

export const item = ({ sha256, mime }: FakeFile, durationMs = IMAGE_MS): ProgrammeItem => ({
  sha256,
  kind: 'file',
  media: Media.parse(mime.split('/')[0]),
  durationMs,
});

export const programme = (regions: Programme['regions'], over: Partial<Programme> = {}): Programme =>
  makeProgramme({ fit: 'cover', regions, ...over });

/** The file on screen. */
export const shown = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('.layer:last-child .shown')?.getAttribute('data-sha256') ?? null);

export const state = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-state');

/** A browser whose power may be cut at any moment. */
export class FragileBrowser {
  readonly #profile: string;
  #process: ChildProcess | undefined;
  #browser: Browser | undefined;

  constructor(profile: string) {
    this.#profile = profile;
  }

  /** Starts it on the same disk as before, with this address. */
  async start(address: string): Promise<Page> {
    const portFile = path.join(this.#profile, 'DevToolsActivePort');
    rmSync(portFile, { force: true });
    const args = [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${this.#profile}`,
      ...KIOSK_ARGS,
      address,
    ];
    // A group of its own: Chromium is many processes, and power goes for all at once.
    this.#process = spawn(CHROMIUM, args, { stdio: 'ignore', detached: true });
    while (!existsSync(portFile) || readFileSync(portFile, 'utf8').split('\n').length < 2) await wait(20);
    const [port] = readFileSync(portFile, 'utf8').split('\n');
    this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const context = this.#browser.contexts()[0];
    if (context) watchPolicy(context);
    const page = context?.pages()[0] ?? (await context?.newPage());
    if (!page) throw new Error('the browser has no page');
    return page;
  }

  async kill(): Promise<void> {
    const killed = this.#process;
    this.#process = undefined;
    if (killed?.pid === undefined) return;
    const gone = once(killed, 'exit');
    process.kill(-killed.pid, 'SIGKILL');
    await gone;
    await this.#browser?.close().catch(() => undefined);
  }
}
