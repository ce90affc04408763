import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HEIGHT, type Session, startSway, startXorg, WIDTH } from './displays.ts';

const KIOSK = path.resolve(import.meta.dirname, '../kiosk.mjs');

/** The second screen asks for nothing but itself. */
const SECONDARY = '/player/?screen=secondary';

/** A green page that takes a picture of its screen, and sends its size, the functions of its host and the picture. */
const PAGE = `<!doctype html><body style="background: #00ff00"><script>
addEventListener('ams-screenshot', ({ detail }) => fetch('/report', {
  method: 'POST',
  body: JSON.stringify({ width: innerWidth, height: innerHeight, host: Object.keys(AMSHost), picture: detail }),
}));
setTimeout(() => AMSHost.takeScreenshot(), 2000);
</script>`;

interface Report {
  width: number;
  height: number;
  host: string[];
  picture: string;
}

/** What the page has reported, at each of its starts. */
async function servePage() {
  const reports: Report[] = [];
  const secondary: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/report') {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page above sends it
      reports.push((await json(request)) as Report);
      response.end();
    } else if (request.url === SECONDARY) {
      secondary.push(request.url);
      response.setHeader('content-type', 'text/html').end('<!doctype html><body style="background: #0000ff">');
    } else response.setHeader('content-type', 'text/html').end(request.url === '/player/' ? PAGE : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, reports, secondary };
}

/** `npm run kiosk` with its Chromium in a session. */
async function startKiosk(starting: Promise<Session>) {
  const session = await starting;
  onTestFinished(() => session.stop());
  const { origin, reports, secondary } = await servePage();
  const profile = mkdtempSync(path.join(tmpdir(), 'ams-chromium-'));
  const start = (...more: string[]) =>
    spawn(process.execPath, [KIOSK, '--server', origin, '--profile', profile, ...more], {
      env: { ...process.env, ...session.env },
      stdio: 'ignore',
    });
  const kiosk = start();
  const ended = once(kiosk, 'exit');
  onTestFinished(async () => {
    kiosk.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  });
  const started = (times: number) => vi.waitFor(() => expect(reports).toHaveLength(times), { timeout: 100_000 });
  return { reports, secondary, started, start, profile };
}

async function colourOf(picture: string) {
  const { data, info } = await sharp(Buffer.from(picture, 'base64')).raw().toBuffer({ resolveWithObject: true });
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return { width: info.width, height: info.height, colour: [...data.subarray(middle, middle + 3)].map((c) => c > 127) };
}

const GREEN = { width: WIDTH, height: HEIGHT, colour: [false, true, false] };

test('Xorg: Chromium fills the screen without a window manager, and a killed one starts again with its profile', async () => {
  const { reports, started, profile } = await startKiosk(startXorg());
  await started(1);
  expect(reports[0]?.host).toEqual(expect.arrayContaining(['takeScreenshot', 'restart']));
  expect(reports[0]?.width).toBeGreaterThanOrEqual(WIDTH);
  expect(reports[0]?.height).toBeGreaterThanOrEqual(HEIGHT);
  expect(await colourOf(reports[0]?.picture ?? '')).toEqual(GREEN);
  process.kill(Number(readlinkSync(path.join(profile, 'SingletonLock')).split('-').at(-1)), 'SIGKILL');
  await started(2);
  expect(await colourOf(reports[1]?.picture ?? '')).toEqual(GREEN);
});

test('sway: Chromium runs without X11, and its host takes pictures', async () => {
  const { reports, started } = await startKiosk(startSway());
  await started(1);
  expect(reports[0]).toMatchObject({ width: WIDTH, height: HEIGHT });
  expect(await colourOf(reports[0]?.picture ?? '')).toEqual(GREEN);
});

test('the second screen opens in the browser of the first', async () => {
  const { secondary, started, start } = await startKiosk(startXorg());
  await started(1);
  expect(await once(start('--secondary'), 'exit')).toEqual([0, null]);
  await vi.waitFor(() => expect(secondary).toHaveLength(1), { timeout: 20_000 });
});
