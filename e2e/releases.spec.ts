import type { Device, MediaFile, Release } from '@ams/contract';
import { type BrowserContext, expect, type Locator, type Page, test } from './stories.ts';
import { pairKiosk } from './kiosk.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** Releases as an operator with a phone sees them, and what one true device makes of them. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4650, ownPostgres: true });
const UPRIGHT = { orientation: 'vertical', kind: 1 } as const;
/** Devices that nobody switches on, beside the true one. */
const OTHERS = 9;

let phone: BrowserContext;
let operator: Page;
let kiosk: BrowserContext;
let playerPage: Page;
let device: Device;
let red: MediaFile;
let blue: MediaFile;
let taps = 0;

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  red = await server.addFile('Red.png', 'color=red:size=360x640', UPRIGHT);
  blue = await server.addFile('Blue.png', 'color=blue:size=360x640', UPRIGHT);
  phone = await signedInPhone(browser, server);
  operator = await phone.newPage();
  ({ kiosk, screen: playerPage, device } = await pairKiosk(server, '02-00-5e-46-50-01'));
});

test.afterAll(async () => {
  await Promise.allSettled([kiosk?.close(), phone?.close()]);
  await server.end();
});

async function tap(target: Locator): Promise<void> {
  taps += 1;
  await target.click();
}

const shown = () => playerPage.locator('.layer:last-child .shown').first().getAttribute('data-sha256');
const state = () => playerPage.locator('html').getAttribute('data-state');
const role = (name: string | RegExp, kind: 'button' | 'link' = 'button') => operator.getByRole(kind, { name });
const rollout = () => operator.getByTestId('rollout');

/** Does something and measures, in milliseconds, until the device's screen no longer shows a file. */
async function goneAfter(sha256: string, work: () => Promise<unknown>): Promise<number> {
  const gone = playerPage.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const on = document.querySelector(`.layer:last-child .shown[data-sha256="${wanted}"]`);
          if (document.documentElement.dataset['state'] !== 'playing' || !on) resolve(Date.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
    sha256,
  );
  const start = Date.now();
  await work();
  return (await gone) - start;
}

async function release(file: MediaFile, over: object = {}): Promise<Release> {
  const body = {
    name: file.name,
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: file.id }] },
  };
  const ad = dataOf(await server.calls.ads.create({ body }));
  const devices = { ids: [device.id] };
  return dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices, ...over } }));
}

test('from a user’s files to a released ad in under ten taps', async () => {
  await operator.goto('/file');
  await tap(operator.getByRole('main').getByRole('link', { name: /admin/ }).first());
  await tap(role('Release', 'link').first());
  await tap(operator.locator('button[data-region=full]'));
  await tap(operator.getByTestId('file-choice').filter({ hasText: 'Red' }));
  await tap(role('Done'));
  await tap(role('Next: devices'));
  await tap(role('Release to 1 device'));
  await expect(operator.getByTestId('progress')).toHaveAttribute('data-all-done', 'true');
  expect(taps).toBeLessThan(10);
  await expect.poll(state).toBe('playing');
  await expect.poll(shown).toBe(red.sha256);
});

test('a withdrawn release disappears within two seconds, and the previous one resumes', async () => {
  const sent = await release(blue);
  await expect.poll(shown).toBe(blue.sha256);
  await operator.goto(`/releases/${sent.id}`);
  await role('Withdraw').click();
  const took = await goneAfter(blue.sha256, () =>
    operator.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click(),
  );
  expect(took).toBeLessThan(2000);
  await expect.poll(shown).toBe(red.sha256);
});

test('Undo brings a withdrawn release back to the screen', async () => {
  const sent = await release(blue);
  await expect.poll(shown).toBe(blue.sha256);
  await operator.goto(`/releases/${sent.id}`);
  await role('Withdraw').click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect.poll(shown).toBe(red.sha256);
  await role('Undo').click();
  await expect.poll(shown).toBe(blue.sha256);
  dataOf(await server.calls.releases.withdraw({ params: { id: sent.id } }));
  await expect.poll(shown).toBe(red.sha256);
});

test('a deleted ad is off the screen within two seconds', async () => {
  const sent = await release(blue);
  await expect.poll(shown).toBe(blue.sha256);
  const took = await goneAfter(blue.sha256, () => server.calls.ads.delete({ params: { id: sent.ad.id } }));
  expect(took).toBeLessThan(2000);
});

test('why is this on screen: now, and at a moment to come', async () => {
  const sent = await release(blue, { schedule: { from: '2099-01-01' } });
  await operator.goto(`/mac/${device.id}`);
  await expect(operator.getByTestId('verdict')).toHaveAttribute('data-verdict', 'plays');
  await role('Why is this on screen?').click();
  const entries = operator.getByTestId('why');
  const isBeforeTime = operator
    .getByRole('dialog')
    .getByTestId('verdict')
    .evaluate((verdict) => {
      const time = verdict.closest('dialog')?.querySelector('input');
      return time ? (verdict.compareDocumentPosition(time) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 : false;
    });
  expect(await isBeforeTime).toBe(true);
  await expect(entries.first()).toContainText('Red');
  await expect(entries.first()).toHaveAttribute('data-verdict', 'plays');
  await expect(entries.filter({ hasText: 'Blue' })).toHaveAttribute('data-verdict', 'notScheduled');
  await operator.getByRole('textbox', { name: 'Time' }).fill('2099-06-01T12:00');
  await expect(entries.filter({ hasText: 'Red' })).toContainText('Replaced by the newer “Blue.png”');
  dataOf(await server.calls.releases.withdraw({ params: { id: sent.id } }));
  await expect(entries.filter({ hasText: 'Blue' })).toHaveCount(0);
});

test('a rollout in steps advances automatically and can be paused, resumed and rolled back', async () => {
  for (let n = 0; n < OTHERS; n += 1) dataOf(await server.calls.devices.create({ body: { mac: `02005e4651${n}0` } }));
  const body = {
    name: 'Steps',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: blue.id }] },
  };
  const ad = dataOf(await server.calls.ads.create({ body }));
  await operator.goto(`/release/${ad.owner.id}/1/2?ad=${ad.id}&step=devices`);
  await operator.getByText('Staged', { exact: true }).click();
  await operator.getByLabel('Step 2: percentage of all devices').fill('30');
  await expect(operator.getByTestId('step')).toHaveCount(3);
  await expect(operator.getByTestId('step').nth(1)).toContainText('Devices: 2');
  await role('Release to 10 devices').click();
  // The first step is the device that is online: when it has the ad, the second begins.
  await expect(operator.getByTestId('step').nth(0)).toHaveAttribute('data-state', 'past');
  await expect(operator.getByTestId('step').nth(1)).toHaveAttribute('data-state', 'under way');
  await expect.poll(shown).toBe(blue.sha256);
  await expect(operator.getByTestId('count-planned')).toHaveText('7');

  await role('Pause').click();
  await expect(rollout()).toHaveAttribute('data-state', 'paused');
  await role('Resume').click();
  await expect(rollout()).toHaveAttribute('data-state', 'running');
  await role('Start next step').click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Start next step' }).click();
  await expect(operator.getByTestId('step').nth(2)).toHaveAttribute('data-state', 'under way');
  await role('Roll back').click();
  const dialog = operator.getByRole('dialog');
  const took = await goneAfter(blue.sha256, () => dialog.getByRole('button', { name: 'Roll back' }).click());
  expect(took).toBeLessThan(2000);
  await expect.poll(shown).toBe(red.sha256);
  await expect(operator.getByText('Withdrawn').first()).toBeVisible();
});

test('a failed device retries on request', async () => {
  const green = await server.addFile('Green.png', 'color=lime:size=360x640', UPRIGHT);
  await kiosk.route('**/media/**', (route) => route.fulfill({ status: 500 }));
  const sent = await release(green);
  await operator.goto(`/releases/${sent.id}`);
  const row = operator.getByTestId('release-device');
  await expect(row).toHaveAttribute('data-state', 'failed');
  await expect(row).toContainText('The device cannot reach the file');
  await kiosk.unroute('**/media/**');
  await row.getByRole('button', { name: 'Retry' }).click();
  await expect(row).toHaveAttribute('data-state', 'done');
  await expect.poll(shown).toBe(green.sha256);
});

test('a released ad that was changed is marked, and one tap updates its devices', async () => {
  const sent = await release(red);
  await expect.poll(shown).toBe(red.sha256);
  await operator.goto(`/release/${device.owner.id}/1/2?ad=${sent.ad.id}`);
  await operator.locator('button[data-region=full]').click();
  await operator.getByTestId('file-choice').filter({ hasText: 'Red' }).click();
  await operator.getByTestId('file-choice').filter({ hasText: 'Blue' }).click();
  await role('Done').click();
  await role('Save').click();
  const card = operator.getByTestId('ad').filter({ hasText: 'Changed since release' });
  await expect(card).toHaveCount(1);
  expect(await shown()).toBe(red.sha256);
  await card.getByRole('button', { name: 'Update 1 device' }).click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Update 1 device' }).click();
  await expect(card).toHaveCount(0);
  await expect.poll(shown).toBe(blue.sha256);
});

test('two operators edit one ad: the second sees both versions and keeps one', async () => {
  const body = {
    name: 'Ours',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: red.id }] },
  };
  const ad = dataOf(await server.calls.ads.create({ body }));
  await operator.goto(`/release/${ad.owner.id}/1/2?ad=${ad.id}`);
  await operator.getByLabel('Name').fill('Mine');
  const theirs = { ...body, name: 'Theirs', updatedAt: ad.updatedAt };
  dataOf(await server.calls.ads.update({ params: { id: ad.id }, body: theirs }));
  await role('Save draft').click();
  const dialog = operator.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'Theirs' })).toContainText('Theirs');
  await expect(dialog.getByRole('region', { name: 'Mine' })).toContainText('Mine');
  expect(dataOf(await server.calls.ads.get({ params: { id: ad.id } })).name).toBe('Theirs');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(operator).toHaveURL(/\/adlist\//);
  expect(dataOf(await server.calls.ads.get({ params: { id: ad.id } })).name).toBe('Mine');
});

test('an ad is copied, and its releases are listed with operator and time', async () => {
  const card = operator.getByTestId('ad').filter({ hasText: 'Steps' });
  await card.getByRole('button', { name: 'Actions for Steps' }).click();
  await operator.getByRole('button', { name: 'Copy' }).click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await expect(operator.getByTestId('ad').filter({ hasText: 'Steps (copy)' })).toBeVisible();
  await card.filter({ hasNotText: 'copy' }).getByRole('button', { name: 'Actions for Steps' }).click();
  await operator.getByRole('dialog').getByText('Releases').click();
  const listed = operator.getByTestId('release');
  await expect(listed).toHaveCount(1);
  await expect(listed).toContainText('admin');
  await expect(listed).toContainText('Withdrawn');
});

test('a draft that was left does not vanish when somebody else stores the ad: both versions are shown', async () => {
  const body = {
    name: 'Left',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: red.id }] },
  };
  const ad = dataOf(await server.calls.ads.create({ body }));
  await operator.goto(`/release/${ad.owner.id}/1/2?ad=${ad.id}`);
  await operator.getByLabel('Name').fill('Half written');
  await operator.locator('nav').getByRole('link', { name: 'Devices' }).click();
  await expect(operator).toHaveURL(/\/mac$/);
  const theirs = { ...body, name: 'Stored meanwhile', updatedAt: ad.updatedAt };
  dataOf(await server.calls.ads.update({ params: { id: ad.id }, body: theirs }));
  await operator.goBack();
  await expect(operator.getByText('Draft restored')).toBeVisible();
  await expect(operator.getByLabel('Name')).toHaveValue('Half written');
  await role('Save draft').click();
  const dialog = operator.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'Theirs' })).toContainText('Stored meanwhile');
  await expect(dialog.getByRole('region', { name: 'Mine' })).toContainText('Half written');
  await dialog.getByRole('button', { name: 'Use theirs' }).click();
  await expect(operator.getByLabel('Name')).toHaveValue('Stored meanwhile');
});

test.describe('text that is typed while the ad is being saved', () => {
  let id: string;
  let answer: PromiseWithResolvers<void>;
  const nameOf = async () => dataOf(await server.calls.ads.get({ params: { id } })).name;
  const leave = async () => {
    await operator.locator('nav').getByRole('link', { name: 'Devices' }).click();
    await expect(operator).toHaveURL(/\/mac$/);
  };
  const restored = async () => {
    await operator.goBack();
    await expect(operator.getByText('Draft restored')).toBeVisible();
    await expect(operator.getByLabel('Name')).toHaveValue('Typed on');
  };

  test.beforeEach(async () => {
    const regions = { full: [{ kind: 'file' as const, fileId: red.id }] };
    const body = { name: 'Saving', orientation: 'vertical' as const, split: 'full' as const, regions };
    const ad = dataOf(await server.calls.ads.create({ body }));
    id = ad.id;
    answer = Promise.withResolvers();
    await operator.route(`**/api/ads/${id}`, async (route) => {
      if (route.request().method() === 'PUT') await answer.promise;
      await route.continue();
    });
    await operator.goto(`/release/${ad.owner.id}/1/2?ad=${id}`);
    await operator.getByLabel('Name').fill('Saved');
    await role('Save draft').click();
    await operator.getByLabel('Name').fill('Typed on');
  });

  const stored = async () => {
    const put = operator.waitForResponse((response) => response.request().method() === 'PUT');
    answer.resolve();
    await put;
    await expect(operator.getByText('Ad saved')).toBeVisible();
    expect(await nameOf()).toBe('Saved');
  };

  test('stays in the form, and waits when that is left', async () => {
    await stored();
    await expect(operator).toHaveURL(/\/release\//);
    await expect(operator.getByLabel('Name')).toHaveValue('Typed on');
    await leave();
    await restored();
  });

  test('waits when the form is left before it is saved, and is saved then', async () => {
    await leave();
    await stored();
    await restored();
    await role('Save draft').click();
    await expect(operator).toHaveURL(/\/adlist\//);
    expect(await nameOf()).toBe('Typed on');
  });
});
