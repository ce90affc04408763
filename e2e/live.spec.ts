import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Browser, type BrowserContext, type Page, expect, test } from './stories.ts';
import type { Device, StatusMessage } from '@ams/contract';
import { percentile } from './percentile.ts';
import { pairPlayer, pairSpeaker, releasePicture, type Speaker } from './live.ts';
import { signedInPhone } from './phone.ts';
import { PASSWORD, RealServer, dataOf } from './server.ts';

/** Changes of a device as seen by operators on open pages. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4620, ownPostgres: true });
const MAC = '02:00:5e:46:20:01';
let device: Device;
let speaker: Speaker;
let socket: WebSocket;
let phone: BrowserContext;
let list: Page;
let detail: Page;

async function manifestVersion(): Promise<string> {
  const reply = await fetch(`${server.origin}/api/player/manifest`, {
    headers: { authorization: `Bearer ${speaker.secret}` },
  });
  const { data }: { data: { version: string } } = await reply.json();
  return data.version;
}

const say = (status: Omit<StatusMessage, 'type'>) => socket.send(JSON.stringify({ type: 'status', ...status }));

test.beforeAll(async ({ browser }: { browser: Browser }) => {
  await server.start();
  await server.login();
  speaker = await pairSpeaker(server, MAC);
  ({ device } = speaker);
  phone = await signedInPhone(browser, server);
  list = await phone.newPage();
  detail = await phone.newPage();
  await Promise.all([list.goto('/mac'), detail.goto(`/mac/${device.id}`)]);
  for (const page of [list, detail]) await expect(page.getByTestId('online')).toHaveAttribute('data-state', 'offline');
});

test.afterAll(async () => {
  socket?.close();
  await phone?.close();
  await server.end();
});

test('a device that connects and changes its state shows on the open list and on its page within a second', async () => {
  socket = await speaker.connect();
  for (const page of [list, detail]) await expect(page.getByTestId('online')).toHaveAttribute('data-state', 'online');
  const version = await manifestVersion();
  const taken: number[] = [];
  for (const percent of [10, 30, 50, 70, 90]) {
    // A device reports at most once a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const shown = [list, detail].map((page) =>
      expect(page.getByTestId('download').first()).toContainText(`${percent}%`),
    );
    const said = performance.now();
    say({ manifestVersion: version, download: { state: 'downloading', doneBytes: percent, totalBytes: 100 } });
    await Promise.all(shown);
    taken.push(performance.now() - said);
  }
  const median = taken.toSorted((a, b) => a - b)[2] ?? Infinity;
  test.info().annotations.push({ type: 'live', description: `median ${Math.round(median)} ms` });
  expect(median).toBeLessThan(1000);
  say({ manifestVersion: version, download: { state: 'done', doneBytes: 100, totalBytes: 100 } });
  for (const page of [list, detail])
    await expect(page.getByTestId('download').first()).toHaveAttribute('data-state', 'done');
});

/** The events of a stream as they come, by kind. */
async function listen(username: string): Promise<{ kinds: string[]; stop(): void }> {
  const login = await fetch(`${server.origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  const stop = new AbortController();
  const stream = await fetch(`${server.origin}/api/live`, {
    headers: { authorization: `Bearer ${login.headers.get('token')}` },
    signal: stop.signal,
  });
  const kinds: string[] = [];
  const read = async () => {
    const events = stream.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event } of events ?? []) kinds.push(event ?? '');
  };
  read().catch(() => undefined);
  return { kinds, stop: () => stop.abort() };
}

test('only users in scope are notified, and at most once a second', async () => {
  dataOf(await server.calls.users.create({ body: { username: 'stranger1', password: PASSWORD, role: 'leading' } }));
  // A stream begins with the latest changes: they count as well.
  const begun = performance.now();
  const [owner, stranger] = [await listen('admin'), await listen('stranger1')];
  for (let n = 1; n <= 40; n += 1) {
    dataOf(await server.calls.devices.update({ params: { id: device.id }, body: { name: `Lobby ${n}` } }));
  }
  await expect(list.getByText('Lobby 40')).toBeVisible();
  await expect(detail.getByRole('heading', { name: 'Lobby 40' })).toBeVisible();
  const seconds = (performance.now() - begun) / 1000;
  const told = owner.kinds.filter((kind) => kind === 'device').length;
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThanOrEqual(Math.floor(seconds) + 1);
  expect(stranger.kinds).toEqual([]);
  owner.stop();
  stranger.stop();
});

interface Seen {
  value: string;
  at: number;
}

/** Notes, frame by frame, each value that `read` has on a page from now on, with its time. */
const watch = (page: Page, selector: string, attribute?: string): Promise<void> =>
  page.evaluate(
    ([query, name]) => {
      const seen: Seen[] = [];
      Object.assign(window, { seen });
      const look = () => {
        const element = document.querySelector(query);
        const value = (name === undefined ? element?.textContent : element?.getAttribute(name)) ?? '';
        if (value !== seen.at(-1)?.value) seen.push({ value, at: Date.now() });
        requestAnimationFrame(look);
      };
      look();
    },
    [selector, attribute] as const,
  );

const seenOn = (page: Page): Promise<Seen[]> => page.evaluate(() => Reflect.get(window, 'seen'));

const CHANGES = 25;

test('what a real player shows is on its page within a second, in 95 of 100 changes', async ({ browser }) => {
  const { kiosk, screen, paired } = await pairPlayer(server, browser, '02-00-5e-46-20-03');
  const names = new Map<string, string>();
  for (const [name, colour] of [
    ['Crimson', 'red'],
    ['Azure', 'blue'],
  ] as const) {
    names.set(
      (await releasePicture(server, name, colour, paired.id, { replace: names.size === 0, seconds: 2 })).sha256,
      name,
    );
  }
  await detail.goto(`/mac/${paired.id}`);
  await expect(detail.getByTestId('screen-main')).toContainText('Azure');
  await watch(detail, '[data-testid=screen-main] strong');
  await watch(screen, '.layer:last-child .shown', 'data-sha256');
  await expect.poll(async () => (await seenOn(screen)).length, { timeout: 90_000 }).toBeGreaterThan(CHANGES + 1);
  const [glass, page] = [await seenOn(screen), await seenOn(detail)];
  // The first is from before the watch; the last may still be on its way.
  const lags = glass.slice(1, -1).map(({ value, at }) => {
    const shown = page.find((each) => each.at >= at && each.value.includes(names.get(value) ?? '?'));
    return (shown?.at ?? Number.POSITIVE_INFINITY) - at;
  });
  const p95 = percentile(lags, 0.95);
  test.info().annotations.push({ type: 'live', description: `real player: 95th percentile ${Math.round(p95)} ms` });
  expect(p95).toBeLessThan(1000);
  await kiosk.close();
});
