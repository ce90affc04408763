import { expect, type Locator, type Page, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';
import { Walker } from './walker.ts';

/** Forced colors (high contrast of Windows): backgrounds and shadows are gone, but the state of a control is seen. */
const server = new RealServer({ port: 4833 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterAll(() => server.end());

/** Whether `element` looks different after `change`; the caret is hidden in both pictures. */
async function changesItsLook(element: Locator, change: () => Promise<unknown>): Promise<boolean> {
  const before = await element.screenshot();
  await change();
  return !before.equals(await element.screenshot());
}

const inState = async (element: Locator, name: string, value: string, act: () => Promise<unknown>) => {
  await act();
  await expect(element).toHaveAttribute(name, value);
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`with forced colors, ${colorScheme}, the state of controls is seen`, async ({ browser }) => {
    const username = `${colorScheme}bakery`;
    const user = dataOf(await server.calls.users.create({ body: { username, password: PASSWORD, role: 'member' } }));
    dataOf(await server.calls.users.update({ params: { id: user.id }, body: { quotaBytes: 1_000_000_000 } }));
    const phone = await signedInPhone(browser, server, {
      ...{ colorScheme, forcedColors: 'active', reducedMotion: 'reduce', serviceWorkers: 'block' },
    });
    const page: Page = await phone.newPage();
    const walker = new Walker(page);

    await page.goto('/user');
    await walker.settle();
    const search = page.getByRole('searchbox');
    const field = search.locator('xpath=../..');
    expect.soft(await changesItsLook(field, () => search.focus()), 'a field that has the focus').toBe(true);

    const enabled = page.getByRole('button', { name: 'Enabled', exact: true });
    const press = () => inState(enabled, 'aria-pressed', 'true', () => enabled.tap());
    expect.soft(await changesItsLook(enabled, press), 'a filter that is on').toBe(true);

    await page.goto('/settings');
    await walker.settle();
    const light = page.locator('label', { has: page.getByRole('radio', { name: 'Light' }) });
    expect.soft(await changesItsLook(light, () => light.tap()), 'the chosen one of several').toBe(true);

    await page.goto('/alerts');
    await walker.settle();
    const offline = page.getByRole('switch').first();
    const turnOn = () => inState(offline, 'aria-checked', 'true', () => offline.tap());
    expect.soft(await changesItsLook(offline, turnOn), 'a switch that is on').toBe(true);

    await page.goto(`/user/${user.id}`);
    await walker.settle();
    const used = page.getByRole('progressbar').first();
    const fill = () => used.locator('i').evaluate((part) => (part.style.inlineSize = '70%'));
    expect.soft(await changesItsLook(used, fill), 'how far a bar is').toBe(true);
    await phone.close();
  });
}

test('with forced colors, bars and drawn layouts are seen', async ({ browser }) => {
  const { calls } = server;
  const file = await server.addFile('Poster.png', 'color=blue:size=360x640', { orientation: 'vertical', kind: 1 });
  const full = [{ kind: 'file' as const, fileId: file.id }];
  const ad = dataOf(
    await calls.ads.create({ body: { name: 'Poster', orientation: 'vertical', split: 'full', regions: { full } } }),
  );
  const ids: string[] = [];
  for (const mac of ['02005e00fc01', '02005e00fc02', '02005e00fc03']) {
    ids.push(dataOf(await calls.devices.create({ body: { mac } })).id);
  }
  const release = dataOf(
    await calls.ads.release({
      params: { id: ad.id },
      body: { devices: { ids }, stages: [{ percent: 50 }, { percent: 100 }] },
    }),
  );
  const takeover = dataOf(await calls.takeovers.create({ body: { adId: ad.id, devices: { ids }, prepare: true } }));
  const phone = await signedInPhone(browser, server, {
    ...{ forcedColors: 'active', reducedMotion: 'reduce', serviceWorkers: 'block' },
  });
  const page = await phone.newPage();
  const walker = new Walker(page);

  await page.goto(`/takeovers/${takeover.id}`);
  await walker.settle();
  const ready = page.getByTestId('takeover-reached').locator('xpath=following-sibling::div[1]');
  const fill = () => ready.locator('i').evaluate((part) => (part.style.inlineSize = '70%'));
  expect.soft(await changesItsLook(ready, fill), 'how many devices of a takeover are ready').toBe(true);

  await page.goto(`/releases/${release.id}`);
  await walker.settle();
  const done = page.getByTestId('step').first().locator('[data-part="done"]');
  const step = done.locator('..');
  const advance = () => done.evaluate((part) => (part.style.width = '30%'));
  expect.soft(await changesItsLook(step, advance), 'how far a step of a release is').toBe(true);

  await page.goto(`/release/${ad.owner.id}/1/2`);
  await walker.settle();
  for (const split of ['two', 'three']) {
    const regions = page.locator(`[data-split="${split}"] [data-region]`);
    const drawing = regions.first().locator('..');
    await drawing.locator('svg').evaluateAll((signs) => signs.forEach((sign) => sign.remove()));
    const hide = () => regions.evaluateAll((parts) => parts.forEach((part) => (part.style.visibility = 'hidden')));
    expect.soft(await changesItsLook(drawing, hide), `the regions of a screen split in ${split}`).toBe(true);
  }
  await phone.close();
});
