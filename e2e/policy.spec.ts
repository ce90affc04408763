import { newPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { expect, takeViolations, test } from './stories.ts';

const server = new RealServer({ port: 4870 });
test.beforeAll(() => server.start());
test.afterAll(() => server.end());

for (const address of ['/login', '/player/']) {
  test(`what ${address} forbids is noticed by the stories`, async ({ browser }) => {
    const phone = await newPhone(browser, server, { serviceWorkers: 'block' });
    const page = await phone.newPage();
    await page.goto(address);
    expect(takeViolations()).toEqual([]);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.isBroken = true';
      document.head.append(script);
    });
    await expect.poll(takeViolations).toEqual([expect.stringContaining('script-src')]);
    await page.evaluate(() => void fetch('https://elsewhere.example/').catch(() => undefined));
    await expect.poll(takeViolations).toEqual(expect.arrayContaining([expect.stringContaining('connect-src')]));
    await phone.close();
  });
}

test('the browser knows each feature that the permissions policy names', async ({ browser }) => {
  const phone = await newPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const unknown: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Unrecognized feature')) unknown.push(message.text());
  });
  await page.goto('/login');
  await expect(page.getByLabel('Username')).toBeVisible();
  expect(unknown).toEqual([]);
  await phone.close();
});
