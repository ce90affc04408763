import { furnish } from './house.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { type Browser, expect, test } from './stories.ts';

const server = new RealServer({ port: 4969 });
const DESK = { viewport: { width: 1280, height: 800 }, hasTouch: false, serviceWorkers: 'block' } as const;

let addresses: string[];
test.beforeAll(async () => {
  await server.start();
  await server.login();
  addresses = await furnish(server);
});
test.afterAll(() => server.end());

/** The cells of all rows of the table at an address, as they are copied. */
async function copied(browser: Browser, address: string): Promise<string[][]> {
  const context = await signedInPhone(browser, server, DESK);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  const page = await context.newPage();
  await page.goto(address);
  await page
    .getByTestId('row')
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Copy' }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await context.close();
  return text.split('\n').map((line) => line.split('\t'));
}

test('copied rows have a text in each cell that shows one', async ({ browser }) => {
  const campaigns = await copied(browser, '/campaigns');
  expect(campaigns.map(([name, , state]) => [name, state])).toEqual(
    expect.arrayContaining([
      ['Autumn sale', 'Scheduled'],
      ['Foot', 'Draft'],
    ]),
  );
  const releases = await copied(browser, '/releases');
  expect(releases.length).toBeGreaterThan(0);
  for (const [, state, devices] of releases) {
    expect(state).toMatch(/^\w/);
    expect(devices).toMatch(/^\d+ \/ \d+$/);
  }
});

test('a copied cell is no formula', async ({ browser }) => {
  const name = '=HYPERLINK("https://evil.example")';
  const [file] = dataOf(await server.calls.files.list({ query: { q: 'Poster.png' } })).items;
  const regions = { full: [{ kind: 'file' as const, fileId: file?.id ?? '' }] };
  dataOf(await server.calls.ads.create({ body: { name, orientation: 'vertical', split: 'full', regions } }));
  const list = addresses.find((address) => address.startsWith('/adlist/')) ?? '';
  expect((await copied(browser, list)).map(([first]) => first)).toContain(`'${name}`);
});
