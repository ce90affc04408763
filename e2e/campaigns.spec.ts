import { type Ad, addDays, type CampaignBody } from '@ams/contract';
import { expectAccessible } from './axe.ts';
import { type BrowserContext, expect, type Page, type Route, test } from './stories.ts';
import { DESK, logIn, signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** A customer requests a campaign on a bookable group, and the dealer decides. */
const server = new RealServer({ port: 4880 });
const contexts: BrowserContext[] = [];
/** The ad of the customer. */
let autumn: Ad;

/** Taps that are counted from the list with the uploaded ad on. */
const TAPS_MAX = 5;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  const mia = dataOf(
    await calls.users.create({ body: { username: 'miaMiller2026', password: PASSWORD, role: 'member' } }),
  );
  for (const [mac, name] of [
    ['02:00:5e:48:80:01', 'Lyon station'],
    ['02:00:5e:48:80:02', 'Lyon market'],
  ] as const) {
    dataOf(await calls.devices.create({ body: { mac, name, tags: ['lyon'] } }));
  }
  const group = dataOf(await calls.groups.create({ body: { name: 'Lyon', filter: { tags: { all: ['lyon'] } } } }));
  expect(group.bookable).toBe(false);
  const red = await server.addFile('Red.png', 'color=red:size=360x640', {
    orientation: 'vertical',
    kind: 1,
    owner: mia.id,
  });
  const full = [{ kind: 'file' as const, fileId: red.id }];
  const body = { name: 'Autumn', orientation: 'vertical' as const, split: 'full' as const, regions: { full } };
  autumn = dataOf(await calls.ads.create({ body: { ...body, ownerId: mia.id } }));
});
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
test.afterAll(() => server.end());

async function open(browser: Parameters<typeof signedInPhone>[0], options: Parameters<typeof signedInPhone>[2]) {
  // People are in the time zone of the devices: a new campaign begins on the next day of the person.
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block', timezoneId: 'UTC', ...options });
  contexts.push(context);
  return context.newPage();
}

test('a customer requests a campaign in five taps, and the dealer approves it with one', async ({ browser }) => {
  const dealer = await open(browser, {});
  const customer = await open(browser, { username: 'miaMiller2026' });

  await test.step('the dealer makes a group bookable', async () => {
    await dealer.goto('/groups');
    await dealer.getByRole('link', { name: /Lyon/ }).tap();
    await dealer.getByRole('switch', { name: 'Bookable' }).tap();
    await expect(dealer.getByRole('switch', { name: 'Bookable' })).toBeChecked();
  });

  await test.step('the customer requests its ad on the group', async () => {
    let taps = 0;
    const tap = async (locator: ReturnType<Page['getByRole']>) => {
      taps += 1;
      await locator.tap();
    };
    await customer.goto('/ad');
    await tap(customer.getByRole('button', { name: /Actions for.*Autumn/ }));
    await tap(customer.getByRole('button', { name: 'New campaign' }));
    // The only bookable group is chosen already, and what is free is shown.
    await expect(customer.getByTestId('group-choice').getByRole('radio')).toBeChecked();
    await expect(customer.getByText('There is room.', { exact: false })).toBeVisible();
    await expect(customer.getByRole('table', { name: /Free time by hour/ })).toBeVisible();
    // Before it is requested: a picture of 360 × 640 pixels is to fill the screen.
    await expect(customer.getByTestId('findings')).toContainText('Too few pixels for its place.');
    await expectAccessible(customer);
    await tap(customer.getByRole('textbox', { name: 'Amount' }));
    await customer.keyboard.type('12,50');
    await tap(customer.getByRole('button', { name: 'Request', exact: true }));
    await expect(customer.getByRole('status').filter({ hasText: 'Waiting for approval' })).toBeVisible();
    expect(taps).toBeLessThanOrEqual(TAPS_MAX);
    await expectAccessible(customer);
  });

  await test.step('home leads the dealer to the request, which one tap approves', async () => {
    await dealer.goto('/');
    await dealer
      .locator('#content')
      .getByRole('link', { name: /Requests to approve/ })
      .tap();
    const request = dealer.getByTestId('request');
    await expect(request).toContainText('miaMiller2026');
    await expect(request).toContainText('$12.50 per 1,000 plays');
    await expect(request.getByTestId('findings')).toContainText('Too few pixels for its place.');
    await expect(request.getByText('There is room.', { exact: false })).toBeVisible();
    await request.getByRole('button', { name: 'Preview Autumn' }).tap();
    await expect(dealer.getByRole('dialog', { name: 'Autumn' }).getByTestId('stage')).toBeVisible();
    await dealer.keyboard.press('Escape');
    await expectAccessible(dealer);
    await request.getByRole('button', { name: 'Approve' }).tap();
    await expect(dealer.getByText('Nothing to approve')).toBeVisible();
  });

  await test.step('the list of the customer shows it booked', async () => {
    await customer.goto('/campaigns');
    await expect(customer.getByTestId('campaign').filter({ hasText: 'Autumn' })).toContainText('Scheduled');
    await customer.getByRole('button', { name: 'Draft', exact: true }).tap();
    await expect(customer).toHaveURL(/state=draft/);
    await expect(customer.getByText('No results')).toBeVisible();
  });
});

test('on a desk a campaign is refused for its mistakes in words, booked, duplicated and cancelled', async ({
  browser,
}) => {
  const page = await open(browser, DESK);
  const side = page.getByRole('navigation', { name: 'Main menu' });
  await page.goto('/');
  await side.getByRole('link', { name: 'Campaigns' }).click();
  await page.locator('header').getByRole('link', { name: 'New campaign' }).click();

  await test.step('nothing typed is lost when something is missing', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Winter');
    await page.getByRole('textbox', { name: 'Amount' }).fill('much');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await expect(page.getByText('Choose at least one ad')).toBeVisible();
    await expect(page.getByText('Enter an amount such as 12.50')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Winter');
  });

  await test.step('the largest goal that fits is one press away', async () => {
    await page.getByRole('button', { name: 'Add ads' }).click();
    // The ads of the dealer itself; there are none until a customer is chosen.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Customer/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /miaMiller2026/ })
      .click();
    await page.getByRole('button', { name: 'Add ads' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Autumn/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('3600');
    await expect(page.getByText('This goal does not fit.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Use it' }).click();
    await expect(page.getByText('There is room.', { exact: false })).toBeVisible();
    await page.getByRole('textbox', { name: 'Value' }).fill('6');
    await page.getByRole('textbox', { name: 'Amount' }).fill('100');
    await expectAccessible(page);
  });

  await test.step('the form says that devices that match later add to the order', async () => {
    const later = page.getByRole('switch', { name: 'Also devices that match later' });
    const hint = page.getByText('Devices that join later add their plays to the order', { exact: false });
    await later.click();
    await expect(hint).toBeVisible();
    await expectAccessible(page);
    await later.click();
    await expect(hint).toHaveCount(0);
  });

  await test.step('it is booked, and a copy of it is a new campaign', async () => {
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await expect(page.getByText(/^Booked\. It starts on/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Winter');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await expect(page.getByText('Draft: nothing is booked yet.')).toBeVisible();
  });

  await test.step('the table opens a campaign beside it, where it is cancelled', async () => {
    await side.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('button', { name: 'Booked', exact: true }).click();
    const booked = page.getByRole('grid').getByText('Winter');
    // The draft leaves the table when the answer for this filter has come.
    await expect(booked).toHaveCount(1);
    await booked.click();
    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();
    await expect(page.getByText(/^Cancelled on/)).toBeVisible();
    await expectAccessible(page);
  });
});

const restored = (page: Page) => page.getByText('Draft restored');
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' });
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });

/** Keeps POST calls to an address waiting until `answer`; `end` lets later ones through. */
async function holdCalls(page: Page, url: string) {
  const answered = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    if (route.request().method() === 'POST') await answered.promise;
    await route.continue();
  };
  await page.route(url, hold);
  return { answer: () => answered.resolve(), end: () => page.unroute(url, hold) };
}

/** A new campaign for an ad, not sent yet. */
async function typeCampaign(page: Page, name: string): Promise<void> {
  await page.goto(`/campaigns/new?ad=${autumn.id}`);
  await nameField(page).fill(name);
  await page.getByRole('textbox', { name: 'Amount' }).fill('100');
}

async function leaveForm(page: Page): Promise<void> {
  await menuOf(page).getByRole('link', { name: 'Campaigns' }).click();
  await expect(page).toHaveURL(/\/campaigns$/);
}
const named = async (q: string) => dataOf(await server.calls.campaigns.list({ query: { q } })).items;

test('a draft that was left does not overwrite what somebody else stored meanwhile', async ({ browser }) => {
  const today = new Date().toISOString().slice(0, 10);
  const body: CampaignBody = {
    name: 'Spring',
    adIds: [autumn.id],
    devices: { filter: { tags: { all: ['lyon'] } } },
    schedule: { from: addDays(today, 1), to: addDays(today, 20) },
    goal: { kind: 'perHour', value: 6 },
    price: { kind: 'fixed', amount: '100', currency: 'EUR' },
  };
  const { id } = dataOf(await server.calls.campaigns.create({ body }));
  const page = await open(browser, DESK);
  await page.goto(`/campaigns/${id}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await nameField(page).fill('Spring sale');
  await page.goBack();
  await expect(page.getByText('6 plays per hour')).toBeVisible();

  dataOf(
    await server.calls.campaigns.update({ params: { id }, body: { ...body, goal: { kind: 'perHour', value: 9 } } }),
  );
  await expect(page.getByText('9 plays per hour and screen', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(restored(page)).toBeVisible();
  await expect(nameField(page)).toHaveValue('Spring sale');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed “Spring” meanwhile.' });
  await expect(notice).toBeVisible();
  expect(dataOf(await server.calls.campaigns.get({ params: { id } }))).toMatchObject({
    name: 'Spring',
    goal: { kind: 'perHour', value: 9 },
  });

  await notice.getByRole('button', { name: 'Use their version' }).click();
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('9');
  // Nothing of it is unsaved any more.
  await page.goBack();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(nameField(page)).toHaveValue('Spring');
  await expect(restored(page)).toHaveCount(0);
});

test('a draft that somebody else changed meanwhile is booked once the newer version is shown', async ({ browser }) => {
  const today = new Date().toISOString().slice(0, 10);
  const body: CampaignBody = {
    name: 'Booked late',
    adIds: [autumn.id],
    devices: { filter: { tags: { all: ['lyon'] } } },
    schedule: { from: addDays(today, 1), to: addDays(today, 20) },
    goal: { kind: 'perHour', value: 1 },
    price: { kind: 'fixed', amount: '100', currency: 'EUR' },
  };
  const params = { id: dataOf(await server.calls.campaigns.create({ body })).id };
  const page = await open(browser, DESK);
  await page.goto(`/campaigns/${params.id}/edit`);
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('1');
  dataOf(await server.calls.campaigns.update({ params, body: { ...body, goal: { kind: 'perHour', value: 2 } } }));

  await page.getByRole('button', { name: 'Book', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed “Booked late” meanwhile.' });
  await expect(notice).toBeVisible();
  expect(dataOf(await server.calls.campaigns.get({ params })).state).toBe('draft');
  await notice.getByRole('button', { name: 'Use their version' }).click();
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('2');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await expect(page).toHaveURL(`/campaigns/${params.id}`);
  expect(dataOf(await server.calls.campaigns.get({ params }))).toMatchObject({ state: 'booked', goal: { value: 2 } });
});

test('a new campaign without room is stored once, however often its form is left', async ({ browser }) => {
  const page = await open(browser, DESK);
  const leaveAndReturn = async () => {
    await menuOf(page).getByRole('link', { name: 'Campaigns' }).click();
    await expect(page).toHaveURL(/\/campaigns$/);
    await page.goBack();
  };
  await page.goto(`/campaigns/new?ad=${autumn.id}`);
  await nameField(page).fill('Crowded');
  await page.getByRole('textbox', { name: 'Value' }).fill('3600');
  await page.getByRole('textbox', { name: 'Amount' }).fill('100');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No room here' })).toBeVisible();

  await leaveAndReturn();
  // It is among the campaigns, and the form is ready for another one.
  await expect(nameField(page)).toHaveValue('Autumn');
  await expect(restored(page)).toHaveCount(0);

  await nameField(page).fill('Crowded again');
  await page.getByRole('textbox', { name: 'Value' }).fill('3600');
  await page.getByRole('textbox', { name: 'Amount' }).fill('100');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No room here' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Value' }).fill('6');
  await leaveAndReturn();
  await expect(restored(page)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('6');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(page.getByText('Draft: nothing is booked yet.')).toBeVisible();
  expect(await named('Crowded again')).toMatchObject([{ goal: { value: 6 } }]);
});

test('a campaign whose form is left while it is being stored is stored once, and leads nobody away', async ({
  browser,
}) => {
  const page = await open(browser, DESK);
  const held = await holdCalls(page, '**/api/campaigns');
  await typeCampaign(page, 'On its way');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await leaveForm(page);
  const stored = page.waitForResponse((response) => response.request().method() === 'POST');
  held.answer();
  await stored;
  await expect(page.getByText('Saved')).toBeVisible();
  await expect(page).toHaveURL(/\/campaigns$/);

  await page.goBack();
  await expect(nameField(page)).toHaveValue('Autumn');
  await expect(restored(page)).toHaveCount(0);
  expect(await named('On its way')).toHaveLength(1);
});

test('a dealer below is offered to request a group of its superior, never to book or approve it', async ({
  browser,
}) => {
  const { calls } = server;
  const username = 'ottoDealer2026';
  const below = dataOf(await calls.users.create({ body: { username, password: PASSWORD, role: 'leading' } }));
  const { id: group } = dataOf(
    await calls.groups.create({ body: { name: 'Stations', filter: { tags: { all: ['lyon'] } }, bookable: true } }),
  );
  const blue = await server.addFile('Blue.png', 'color=blue:size=540x960', {
    orientation: 'vertical',
    kind: 1,
    owner: below.id,
  });
  const regions = { full: [{ kind: 'file' as const, fileId: blue.id }] };
  const ad = dataOf(
    await calls.ads.create({
      body: { name: 'Blue', ownerId: below.id, orientation: 'vertical', split: 'full', regions },
    }),
  );
  const today = new Date().toISOString().slice(0, 10);
  const body: CampaignBody = {
    ...{ name: 'Stations', customerId: below.id, adIds: [ad.id], devices: { group } },
    schedule: { from: addDays(today, 1), to: addDays(today, 20) },
    goal: { kind: 'perHour', value: 6 },
    price: { kind: 'fixed', amount: '100', currency: 'EUR' },
  };
  const { id } = dataOf(await calls.campaigns.create({ body }));
  const page = await open(browser, { ...DESK, username });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // While it is not known yet whose group it is, neither can be pressed.
  const answer = Promise.withResolvers<void>();
  await page.route(`**/api/groups/${group}`, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto(`/campaigns/${id}/edit`);
  await expect(button('Book').or(button('Request'))).toBeDisabled();
  answer.resolve();
  await expect(button('Request')).toBeEnabled();
  await expect(button('Book')).toHaveCount(0);

  await page.goto(`/campaigns/${id}`);
  await expect(button('Request')).toBeVisible();
  await expect(button('Book')).toHaveCount(0);
  await button('Request').click();
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for approval' })).toBeVisible();
  await expect(button('Reject')).toBeVisible();
  await expect(button('Approve')).toHaveCount(0);
});

test('text that is typed while a campaign is being stored is kept, whether its form is left or not', async ({
  browser,
}) => {
  const page = await open(browser, DESK);
  for (const isLeft of [false, true]) {
    const held = await holdCalls(page, '**/api/campaigns');
    await typeCampaign(page, `Stored ${isLeft}`);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await nameField(page).fill(`Typed on ${isLeft}`);
    if (isLeft) await leaveForm(page);
    const stored = page.waitForResponse((response) => response.request().method() === 'POST');
    held.answer();
    await stored;
    await held.end();
    await expect(page.getByText('Saved')).toBeVisible();
    if (!isLeft) {
      await expect(nameField(page)).toHaveValue(`Typed on ${isLeft}`);
      await leaveForm(page);
    }
    await page.goBack();
    await expect(restored(page)).toBeVisible();
    await expect(nameField(page)).toHaveValue(`Typed on ${isLeft}`);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await expect(page.getByText('Draft: nothing is booked yet.')).toBeVisible();
    expect(await named(`Stored ${isLeft}`)).toHaveLength(0);
    expect(await named(`Typed on ${isLeft}`)).toHaveLength(1);
  }
});

test('text that is typed while a campaign is being booked does not come back in the form of a new one', async ({
  browser,
}) => {
  const page = await open(browser, DESK);
  for (const isLeft of [false, true]) {
    const held = await holdCalls(page, '**/api/campaigns/*/book');
    await typeCampaign(page, `Booked ${isLeft}`);
    await page.getByRole('textbox', { name: 'Value' }).fill('1');
    const asked = page.waitForRequest('**/api/campaigns/*/book');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await asked;
    await nameField(page).fill('Typed too late');
    if (isLeft) await leaveForm(page);
    held.answer();
    await expect(page.locator('[popover=manual]').getByText('Booked', { exact: true })).toBeVisible();
    await held.end();
    if (!isLeft) {
      await expect(page).toHaveURL(/\/campaigns\/[\da-f-]{36}$/);
      await expect(page.getByRole('heading', { name: `Booked ${isLeft}` }).first()).toBeVisible();
    }
    await expect.poll(() => named(`Booked ${isLeft}`)).toMatchObject([{ state: 'booked' }]);

    // As a link of the app does: a reload forgets what is kept.
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }, `/campaigns/new?ad=${autumn.id}`);
    await expect(nameField(page)).toHaveValue('Autumn');
    await expect(restored(page)).toHaveCount(0);
  }
});

test('after a log-out the next person does not find what was half written', async ({ browser }) => {
  const page = await open(browser, DESK);
  const logOut = async (username: string) => {
    await page.getByRole('button', { name: `Account: ${username}` }).click();
    await page.getByRole('group', { name: 'Account' }).getByRole('link', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/login$/);
  };
  const openNew = async () => {
    await menuOf(page).getByRole('link', { name: 'Campaigns' }).click();
    await page.locator('header').getByRole('link', { name: 'New campaign' }).click();
  };
  await page.goto('/campaigns/new');
  await nameField(page).fill('Half written');
  await logOut('admin');

  await logIn(page, 'miaMiller2026');
  await openNew();
  await expect(nameField(page)).toHaveValue('');
  await expect(restored(page)).toHaveCount(0);
  await logOut('miaMiller2026');

  await logIn(page, 'admin');
  await openNew();
  await expect(nameField(page)).toHaveValue('Half written');
  await expect(restored(page)).toBeVisible();
});
