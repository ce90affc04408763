import { expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';

/** Pages of a new installation say what to do next, and lead there. */
const server = new RealServer({ port: 4937 });

test.beforeAll(() => server.start());
test.afterAll(() => server.end());

for (const { address, title, link, leadsTo } of [
  { address: '/releases', title: 'Nothing released yet', link: 'Ad management', leadsTo: '/ad' },
  { address: '/reports', title: 'No plays in this period', link: 'Ad management', leadsTo: '/ad' },
  { address: '/takeover', title: 'Choose an ad', link: 'Ads', leadsTo: '/ad' },
  { address: '/revenue', title: /^No campaign runs in/, link: 'New campaign', leadsTo: '/campaigns/new' },
]) {
  test(`${address} without anything leads to ${leadsTo}`, async ({ browser }) => {
    const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
    const page = await phone.newPage();
    await page.goto(address);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: link, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${leadsTo}$`));
    await phone.close();
  });
}
