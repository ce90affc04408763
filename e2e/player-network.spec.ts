import { Play } from '@ams/contract';
import { expect, test } from './stories.ts';
import { Stand, item, programme, shown } from './device.ts';

const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterEach(() => stand.turnOff());
test.afterAll(() => stand.end());

test('a device reports by calls while a proxy opens its connection and passes nothing on', async () => {
  const { page } = await stand.device('silent');
  await page.routeWebSocket('**/api/player/socket', () => undefined);
  const red = stand.image('red');
  stand.release(programme({ full: [item(red)] }));
  await page.clock.install();
  await page.goto(stand.address());
  const reported = () => stand.server.statuses.at(-1)?.playing?.main?.sha256;
  // Longer than the connection may stay silent.
  await expect.poll(() => page.clock.runFor(10_000).then(reported), { timeout: 60_000 }).toBe(red.sha256);
});

test('a device whose script for its files did not load at the start loads it later', async () => {
  const { context, page } = await stand.device('no-script');
  await context.route('**/sw.js', (route) => route.fulfill({ status: 503 }));
  await context.route('**/media.worker*', (route) => route.fulfill({ status: 503 }), { times: 1 });
  const red = stand.image('red');
  stand.release(programme({ full: [item(red)] }));
  await page.goto(stand.address());
  await expect.poll(() => shown(page), { timeout: 40_000 }).toBe(red.sha256);
});

test('a device that gets another network opens a new connection instead of waiting for the old one', async () => {
  const { page } = await stand.device('other-network');
  let opened = 0;
  await page.routeWebSocket('**/api/player/socket', (socket) => {
    opened += 1;
    socket.send(JSON.stringify({ type: 'manifest', version: '' }));
  });
  await page.goto(stand.address());
  await expect.poll(() => opened).toBe(1);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => opened).toBe(2);
});

test('a device that was asleep asks for the time at once, and reports its plays at the right one', async () => {
  const { page } = await stand.device('asleep');
  await page.routeWebSocket('**/api/player/socket', (socket) => {
    socket.send(JSON.stringify({ type: 'manifest', version: '' }));
  });
  const red = stand.image('red');
  stand.release(programme({ full: [item(red)] }));
  stand.server.batches.clear();
  const reported = () => [...stand.server.batches.values()].flat().map((play) => Play.parse(play));
  await page.goto(stand.address());
  await expect.poll(() => reported().length, { timeout: 60_000 }).toBeGreaterThan(5);
  // Its time since the start stood still meanwhile; its own clock and that of the server went on.
  const asleepMs = 8 * 3_600_000;
  stand.server.now = () => Date.now() + asleepMs;
  await page.evaluate((ms) => {
    const before = Date.now;
    Date.now = () => before() + ms;
  }, asleepMs);
  const awakeAt = stand.server.now();
  const late = () => reported().filter(({ at }) => Date.parse(at) > awakeAt);
  await expect.poll(() => late().length, { timeout: 60_000 }).toBeGreaterThan(5);
  stand.server.now = Date.now;
});
