import { type Browser, type BrowserContext, expect, type Locator, type Page, test } from './stories.ts';
import { generate } from 'otplib';
import { isDataKept, logIn, newPhone, signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** People and their accounts, as a dealer and a customer meet them on their phones. */
const server = new RealServer({ port: 4810 });
const OTHER_PASSWORD = 'another-password-2';

const opened: BrowserContext[] = [];

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterEach(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()));
});

test.afterAll(() => server.end());

/** A page on its own phone; with a name, signed in as that user. */
async function open(browser: Browser, username?: string): Promise<Page> {
  const phone = await (username === undefined
    ? newPhone(browser, server)
    : signedInPhone(browser, server, { username }));
  opened.push(phone);
  return phone.newPage();
}

const addMember = async (username: string) =>
  dataOf(await server.calls.users.create({ body: { username, password: PASSWORD, role: 'member' } }));

const fill = (page: Page, label: string, text: string): Promise<void> =>
  page.getByLabel(label, { exact: true }).fill(text);

const row = (page: Page, name: string): Locator => page.getByRole('article').filter({ hasText: name });

/** Presses a form's button and reads the messages that appear under its fields. */
async function expectMessages(page: Page | Locator, button: string, messages: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText(messages);
}

test('a dealer adds a customer, forbids it, lets it back, sets its password and deletes it', async ({ browser }) => {
  const dealer = await open(browser);
  const customer = await open(browser);

  await test.step('the customer is added', async () => {
    await dealer.goto('/login');
    await logIn(dealer, 'admin');
    await dealer.getByRole('link', { name: 'Users', exact: true }).click();
    await dealer.getByRole('link', { name: 'Add user' }).click();
    await fill(dealer, 'Username', 'mia01');
    await fill(dealer, 'Password', PASSWORD);
    await dealer.getByRole('button', { name: 'Add user' }).click();
    await expect(dealer.getByRole('status').getByText('User added')).toBeVisible();
    await expect(dealer.getByRole('heading', { level: 1 })).toHaveText('mia01');
    await dealer.getByRole('button', { name: 'Back' }).click();
    await expect(dealer).toHaveURL(/\/user$/);
    await expect(row(dealer, 'mia01')).toBeVisible();
  });

  await test.step('it logs in and looks at its own pages', async () => {
    await customer.goto('/login');
    await logIn(customer, 'mia01');
    await expect(customer).toHaveURL(`${server.origin}/`);
    await expect(customer.getByRole('navigation').getByRole('link', { name: 'Users', exact: true })).toHaveCount(0);
    await customer.getByRole('main').getByRole('link', { name: 'Users' }).click();
    await expect(customer.getByRole('heading', { level: 1 })).toHaveText('mia01');
    await customer.goto('/user');
    await expect(row(customer, 'mia01')).toBeVisible();
    await expect(customer.getByRole('link', { name: 'Add user' })).toHaveCount(0);
  });

  await test.step('it is disabled with a remark; its open page asks to log in, and says why it cannot', async () => {
    await dealer.getByRole('switch', { name: 'mia01 can log in' }).click();
    const dialog = dealer.getByRole('dialog', { name: 'Disable mia01?' });
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Enter a remark');
    await dialog.getByLabel('Why is this user disabled?').fill('Invoice 7 is open');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(dealer.getByRole('status').getByText('User disabled')).toBeVisible();
    await expect(row(dealer, 'mia01').getByText('Disabled')).toBeVisible();
    await expect(customer).toHaveURL(/\/login/);
    await logIn(customer, 'mia01');
    await expect(customer.getByRole('alert')).toHaveText('This account is disabled: Invoice 7 is open');
  });

  await test.step('it is let back, from its details', async () => {
    await row(dealer, 'mia01').getByRole('link').click();
    await expect(dealer.getByText('Remark: Invoice 7 is open')).toBeVisible();
    await dealer.getByRole('button', { name: 'Enable' }).click();
    await dealer.getByRole('dialog', { name: 'Enable mia01?' }).getByRole('button', { name: 'Enable' }).click();
    await expect(dealer.getByRole('status').getByText('User enabled')).toBeVisible();
    await customer.getByRole('button', { name: 'Log in' }).click();
    await expect(customer).toHaveURL(/\/user$/);
  });

  await test.step('its password is set: it is logged out and only the new one works', async () => {
    await dealer.getByRole('button', { name: 'Change password' }).click();
    const sheet = dealer.getByRole('dialog', { name: 'Set new password' });
    await expectMessages(sheet, 'Change password', ['Enter a password', 'Enter the password again']);
    await fill(dealer, 'New password', OTHER_PASSWORD);
    await fill(dealer, 'Confirm password', `${OTHER_PASSWORD}3`);
    await expectMessages(sheet, 'Change password', ['Password Different']);
    await fill(dealer, 'Confirm password', OTHER_PASSWORD);
    await sheet.getByRole('button', { name: 'Change password' }).click();
    await expect(dealer.getByRole('status').getByText('Password changed')).toBeVisible();
    await expect(sheet).toHaveCount(0);
    await expect(customer).toHaveURL(/\/login/);
    await logIn(customer, 'mia01');
    await expect(customer.getByRole('alert')).toHaveText('Wrong username or password');
    await logIn(customer, 'mia01', OTHER_PASSWORD);
    await expect(customer).toHaveURL(/\/user$/);
  });

  await test.step('it is deleted: what it had belongs to its dealer', async () => {
    const mia = dataOf(await server.calls.users.list({ query: { q: 'mia01' } })).items[0];
    dataOf(await server.calls.devices.create({ body: { mac: '02005e0000a1', name: 'Bakery', ownerId: mia?.id } }));
    await dealer.goto('/mac');
    await expect(row(dealer, 'Bakery').getByText('mia01')).toBeVisible();
    await dealer.goto('/user');
    await dealer.getByRole('button', { name: 'Actions for mia01' }).click();
    await dealer.getByRole('button', { name: 'Delete user' }).click();
    const dialog = dealer.getByRole('dialog', { name: 'Delete mia01?' });
    await expect(dialog).toContainText('The devices, files, ads and users of this account move to its manager.');
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await expect(row(dealer, 'mia01')).toHaveCount(0);
    await expect(customer).toHaveURL(/\/login/);
    await dealer.getByRole('link', { name: 'Devices', exact: true }).click();
    await expect(row(dealer, 'Bakery').getByText('admin')).toBeVisible();
  });
});

test('a user invited by a link registers below the dealer, once', async ({ browser }) => {
  const dealer = await open(browser, 'admin');
  await dealer.goto('/user');
  await dealer.getByRole('link', { name: 'Invitation codes' }).click();
  await dealer.getByRole('button', { name: 'Create codes' }).click();
  const form = dealer.getByRole('dialog', { name: 'Create codes' });
  await form.getByLabel('Number of codes').fill('0');
  await form.getByRole('button', { name: 'Create codes' }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await form.getByLabel('Number of codes').fill('1');
  await form.getByRole('button', { name: 'Create codes' }).click();
  await expect(dealer.getByRole('status').getByText('1 code created')).toBeVisible();
  await dealer.getByRole('button', { name: /^Actions for/ }).click();
  await dealer.getByRole('button', { name: 'Share' }).click();
  const link = (await dealer.getByText(`${server.origin}/register/`).textContent()) ?? '';
  await dealer.getByRole('button', { name: 'Close' }).click();

  const guest = await open(browser);
  await guest.goto(link);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Register User');
  await expect(guest.getByText('Invited by admin')).toBeVisible();
  await expectMessages(guest, 'Register', ['Input username', 'Enter a password', 'Enter the password again']);
  await fill(guest, 'Username', 'noa');
  await fill(guest, 'Password', 'short');
  await fill(guest, 'Confirm password', 'shorter');
  await expectMessages(guest, 'Register', [
    'Username: 4 to 20 characters',
    'Password: 8 to 72 characters',
    'Password Different',
  ]);
  await fill(guest, 'Username', 'noa 01');
  await fill(guest, 'Password', PASSWORD);
  await fill(guest, 'Confirm password', PASSWORD);
  await expectMessages(guest, 'Register', ['Username: letters and digits only']);
  await fill(guest, 'Username', 'ADMIN');
  await expectMessages(guest, 'Register', ['This username is already taken']);
  await fill(guest, 'Username', 'noa01');
  await guest.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(guest).toHaveURL(`${server.origin}/`);
  await expect(guest.getByRole('main').getByText('noa01', { exact: true }).first()).toBeVisible();

  await dealer.reload();
  await expect(dealer.getByText('used by noa01')).toBeVisible();
  const late = await open(browser);
  await late.goto(link);
  await expect(late.getByRole('alert')).toHaveText('Invalid invitation code');
  await fill(late, 'Invitation code', '');
  await late.getByRole('button', { name: 'Check code' }).click();
  await expect(late.getByRole('alert').last()).toHaveText('Enter the invitation code');
});

test('a user registers without a code and reaches the home page', async ({ browser }) => {
  const page = await open(browser);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Register User');
  await fill(page, 'Username', 'ola01');
  await fill(page, 'Password', PASSWORD);
  await fill(page, 'Confirm password', PASSWORD);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  expect(await page.evaluate(() => sessionStorage.getItem('ams_role'))).toBe('"member"');
});

test('forms show errors below each field', async ({ browser }) => {
  const page = await open(browser);
  await page.goto('/login');
  await expectMessages(page, 'Log in', ['Input username', 'Enter a password']);
  await expect(page.getByLabel('Username')).toBeFocused();
  await logIn(page, 'admin', 'not the password');
  await expect(page.getByRole('alert')).toHaveText('Wrong username or password');
  await logIn(page, 'admin');
  await expect(page).toHaveURL(`${server.origin}/`);

  await page.goto('/user/add');
  await expectMessages(page, 'Add user', ['Input username', 'Enter a password']);
  await fill(page, 'Username', 'x');
  await fill(page, 'Password', 'x');
  await fill(page, 'Phone', 'x');
  await expectMessages(page, 'Add user', [
    'Username: 4 to 20 characters',
    'Password: 8 to 72 characters',
    'Invalid phone number',
  ]);

  await page.goto('/password');
  await expectMessages(page, 'Change password', ['Enter a password', 'Enter a password', 'Enter the password again']);
  await fill(page, 'Current password', 'not the password');
  await fill(page, 'New password', OTHER_PASSWORD);
  await fill(page, 'Confirm password', OTHER_PASSWORD);
  await expectMessages(page, 'Change password', ['The current password is wrong']);
});

test('a second factor is enabled from the account page', async ({ browser }) => {
  await addMember('olga1');
  const page = await open(browser, 'olga1');
  await page.goto('/');
  await page.getByRole('link', { name: 'Two-factor login Off' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two-factor login');
  await page.getByRole('button', { name: 'Turn on' }).click();
  const sheet = page.getByRole('dialog', { name: 'Two-factor login' });
  await sheet.getByLabel('Password', { exact: true }).fill('not the password');
  await sheet.getByRole('button', { name: 'Continue' }).click();
  await expect(sheet.getByText('The current password is wrong')).toBeVisible();
  await sheet.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await sheet.getByRole('button', { name: 'Continue' }).click();
  await expect(sheet.getByRole('img')).toBeVisible();
  const secret = (await sheet.getByText(/^([A-Z2-7]{4} ?)+$/).textContent()) ?? '';
  await sheet.getByLabel('Code').fill(await generate({ secret: secret.replaceAll(' ', '') }));
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  const recoveryCode = (await sheet.getByRole('listitem').first().textContent()) ?? '';
  // They are shown this once: only the button under them puts them away.
  for (const _ of [1, 2]) await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(sheet.getByText(recoveryCode)).toBeVisible();
  await page.goto('/');
  await page.getByRole('link', { name: 'Two-factor login On' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await sheet.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await sheet.getByLabel('Code').fill(recoveryCode);
  await sheet.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Two-factor login is off')).toBeVisible();
});

test('the page waits for a server that does not answer, and resumes automatically', async ({ browser }) => {
  const page = await open(browser, 'admin');
  await page.goto('/user');
  await expect(row(page, 'admin')).toBeVisible();
  await page.route('**/api/**', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  await page.reload();
  const banner = page.getByRole('status').getByText('The server is not responding. Retrying…');
  await expect(banner).toBeVisible();
  await page.unroute('**/api/**');
  await expect(banner).toHaveCount(0);
  await expect(row(page, 'admin')).toBeVisible();
});

test('the buttons of the account come with the home page, which would move them when it arrives', async ({
  browser,
}) => {
  await addMember('lea01');
  const page = await open(browser, 'lea01');
  const arrives = Promise.withResolvers<void>();
  await page.route('**/api/', async (route) => {
    await arrives.promise;
    await route.fallback();
  });
  const asked = page.waitForRequest('**/api/');
  await page.goto('/');
  await asked;
  const logOut = page.getByRole('main').getByRole('link', { name: 'Log out' });
  await expect(logOut).toHaveCount(0);
  arrives.resolve();
  await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
  await expect(logOut).toBeVisible();
});

test('logging out shows a message, and after two seconds nothing of the session is left', async ({ browser }) => {
  await addMember('pia01');
  const page = await open(browser, 'pia01');
  await page.goto('/');
  // The message stays for two seconds, in which a busy computer may not look.
  const said = await page.evaluateHandle(() => {
    const texts = new Set<string | null>();
    const read = () => document.querySelectorAll('[role=status]').forEach((status) => texts.add(status.textContent));
    new MutationObserver(read).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  const clicked = Date.now();
  await page.getByRole('link', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await said.evaluate((texts) => [...texts])).toContain('Logged out');
  expect(Date.now() - clicked).toBeGreaterThan(1500);
  const left = await page.evaluate(() => [
    localStorage.getItem('ams_token'),
    ...['role', 'superior', 'current'].map((name) => sessionStorage.getItem(`ams_${name}`)),
  ]);
  expect(left).toEqual([null, null, null, null]);
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
});

/** Personal data in the browser: everything except the app's files, browser settings and scroll positions. */
const leftBehind = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    return {
      caches: names.filter((name) => !name.startsWith('workbox-precache')),
      storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(
        (key) => !['lang', 'ams_theme', 'react-router-scroll-positions'].includes(key),
      ),
      databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name !== 'workbox-expiration'),
    };
  });

const NOTHING = { caches: [], storage: [], databases: [] };

/** Opens the list of users and waits until the last data are kept for a time without a network. */
async function keepData(page: Page, username: string): Promise<void> {
  await page.goto('/user');
  await expect(row(page, username)).toBeVisible();
  await expect.poll(async () => (await leftBehind(page)).caches).toEqual(['ams-data']);
}

test('logging out leaves no personal data in the browser, also in other tabs', async ({ browser }) => {
  await addMember('tess01');
  const page = await open(browser, 'tess01');
  await keepData(page, 'tess01');
  const other = await page.context().newPage();
  await other.goto('/user');
  await expect(row(other, 'tess01')).toBeVisible();
  await page.goto('/logout');
  await expect.poll(() => leftBehind(page)).toEqual(NOTHING);
  await expect(other).toHaveURL(/\/login/);
  await expect(page).toHaveURL(/\/login$/);
  for (const tab of [page, other]) await expect.poll(() => leftBehind(tab)).toEqual(NOTHING);
});

test('when somebody else signs in in another tab, every tab is theirs', async ({ browser }) => {
  const { id } = await addMember('zoe001');
  const page = await open(browser, 'admin');
  await page.goto('/user');
  await expect(row(page, 'admin')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/login');
  await logIn(other, 'zoe001');
  await expect(other).toHaveURL(`${server.origin}/`);

  await expect(row(page, 'admin')).toHaveCount(0);
  await expect(row(page, 'zoe001')).toBeVisible();
  // It hears about changes to them, too.
  dataOf(await server.calls.users.update({ params: { id }, body: { disabled: true, remark: 'Test' } }));
  await expect(page).toHaveURL(/\/login/);
});

test('a log-in in one tab brings the other tabs that wait for it to their pages', async ({ browser }) => {
  await addMember('kim001');
  const first = await open(browser);
  const second = await first.context().newPage();
  await first.goto('/mac');
  await second.goto('/user');
  for (const tab of [first, second]) await expect(tab).toHaveURL(/\/login/);
  await logIn(first, 'kim001');
  await expect(first).toHaveURL(`${server.origin}/mac`);
  await expect(second).toHaveURL(`${server.origin}/user`);
  await expect(row(second, 'kim001')).toBeVisible();
});

test('text that is selected beyond the edge of its dialog stays, and so does the dialog', async ({ browser }) => {
  await addMember('abe001');
  const page = await open(browser, 'admin');
  await page.goto('/user?q=abe001');
  await row(page, 'abe001').getByRole('switch').click();
  const remark = page.getByRole('dialog').getByRole('textbox');
  await remark.fill('Invoice 7 is open');
  const box = await remark.boundingBox();
  if (!box) throw new Error('The field is not shown');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(remark).toHaveValue('Invoice 7 is open');
  await page.mouse.click(2, 2);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a session that expired while no page was open leaves no personal data in the browser', async ({ browser }) => {
  await addMember('ugo001');
  const page = await open(browser, 'ugo001');
  await keepData(page, 'ugo001');
  await page.evaluate(() => {
    localStorage.setItem('ams_batch', 'begun');
    localStorage.setItem('ams_uploads', JSON.stringify([{ name: 'private.mp4' }]));
  });
  // A page of the same origin without the app: the app is closed.
  await page.goto('/favicon.svg');
  await page.evaluate(() => {
    const { token }: { token: string } = JSON.parse(localStorage.getItem('ams_token') ?? '{}');
    localStorage.setItem('ams_token', JSON.stringify({ token, expires: Math.floor(Date.now() / 1000) - 1 }));
  });
  await page.goto('/login');
  await expect(page.getByLabel('Username')).toBeVisible();
  await expect.poll(() => leftBehind(page)).toEqual(NOTHING);
});

test('a deep link waits behind the login page and is there afterwards', async ({ browser }) => {
  const page = await open(browser);
  await page.goto('/mac?online=true');
  await expect(page).toHaveURL(/\/login\?next=/);
  await logIn(page, 'admin');
  await expect(page).toHaveURL(/\/mac\?online=true$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Device management');
});

test('a token past its expiry is no session', async ({ browser }) => {
  await addMember('quin1');
  const page = await open(browser, 'quin1');
  await page.goto('/user');
  await expect(row(page, 'quin1')).toBeVisible();
  // In one go: any call of the page itself would notice first, and lead back to this page.
  await page.getByRole('link', { name: 'Files', exact: true }).evaluate((link: HTMLAnchorElement) => {
    const { token }: { token: string } = JSON.parse(localStorage.getItem('ams_token') ?? '{}');
    localStorage.setItem('ams_token', JSON.stringify({ token, expires: Math.floor(Date.now() / 1000) - 1 }));
    link.click();
  });
  await expect(page).toHaveURL(/\/login\?next=%2Ffile/);
});

test('back leads where one came from, or to the list when there was nothing before', async ({ browser }) => {
  const member = await addMember('rosa1');
  const page = await open(browser, 'admin');
  const back = page.getByRole('button', { name: 'Back' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('searchbox').fill('ros');
  await expect(page).toHaveURL(/q=ros/);
  await row(page, 'rosa1').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('rosa1');
  await back.click();
  await expect(page).toHaveURL(/\/user\?q=ros$/);
  await expect(page.getByRole('searchbox')).toHaveValue('ros');
  await page.goBack();
  await expect(page).toHaveURL(`${server.origin}/`);

  const direct = await page.context().newPage();
  await direct.goto(`/user/${member.id}`);
  await direct.getByRole('button', { name: 'Back' }).click();
  await expect(direct).toHaveURL(/\/user$/);
});

test('an address that does not exist shows a message and leads home', async ({ browser }) => {
  const page = await open(browser, 'admin');
  await page.goto('/nowhere/at/all');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await page.goto('/user/00000000-0000-7000-8000-000000000000');
  await expect(page.getByRole('alert')).toContainText('Page not found');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
});

/** Presses Tab until `target` has the focus. Every stop on the way shows that it has it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
      // A field's ring is drawn around its frame, a choice's around its label.
      const drawn = [focused, focused.parentElement, focused.closest('label')].some((element) => {
        if (!element) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      });
      return drawn ? undefined : focused.outerHTML.slice(0, 200);
    });
    expect(unseen, 'the focus is visible').toBeUndefined();
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`no way by Tab to ${target.toString()}`);
}

test('with the keyboard alone: log in, add a user, forbid it', async ({ browser }) => {
  const page = await open(browser);
  const keys = page.keyboard;
  await page.goto('/login?next=/user');
  await tabTo(page, page.getByLabel('Username'));
  await keys.type('admin');
  await keys.press('Tab');
  await keys.type(PASSWORD);
  await keys.press('Enter');
  await expect(page).toHaveURL(/\/user$/);

  const add = page.getByRole('link', { name: 'Add user' });
  await expect(add).toBeVisible();
  await tabTo(page, add);
  await keys.press('Enter');
  // A page that opens takes the focus.
  await expect(page).toHaveURL(/\/user\/add$/);
  await expect(page.locator('#content')).toBeFocused();
  await tabTo(page, page.getByLabel('Username'));
  await keys.type('tom01');
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await keys.type(PASSWORD);
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('tom01');
  await expect(page.locator('#content')).toBeFocused();

  const forbid = page.getByRole('button', { name: 'Disable', exact: true });
  const dialog = page.getByRole('dialog');
  await tabTo(page, forbid);
  await keys.press('Enter');
  await expect(dialog).toBeVisible();
  await keys.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(forbid).toBeFocused();

  await keys.press('Enter');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  for (let stops = 0; stops < 6; stops += 1) {
    await keys.press('Tab');
    const outside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    );
    expect(outside, 'the focus stays in the dialog').toBe(false);
  }
  await tabTo(page, dialog.getByRole('textbox'));
  await keys.type('Gone away');
  await keys.press('Enter');
  await expect(page.getByText('Remark: Gone away')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('without a network the last data is shown with a notice, also after a reload', async ({ browser }) => {
  await addMember('uma01');
  const page = await open(browser, 'admin');
  await page.goto('/user');
  await expect(row(page, 'uma01')).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => isDataKept(page)).toBe(true);
  const notice = page.getByText('No network connection. You see the latest saved data');
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(row(page, 'uma01')).toBeVisible();
  await addMember('vera1');
  await page.context().setOffline(false);
  await expect(notice).toBeHidden();
  await expect(row(page, 'vera1')).toBeVisible();
});

test('an account holder invites a read-only colleague, who sees everything and changes nothing', async ({
  browser,
}) => {
  const { id } = await addMember('holder01');
  const holder = await open(browser, 'holder01');
  const colleague = await open(browser);
  let link = '';

  await test.step('the holder invites a colleague', async () => {
    await holder.goto('/settings');
    await holder.getByRole('button', { name: 'Invite colleague' }).click();
    const dialog = holder.getByRole('dialog', { name: 'Invite colleague' });
    await fill(holder, 'Name', 'Anna Berg');
    await dialog.getByText('Read-only', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Invite colleague' }).click();
    link = (await dialog.getByText('/register/').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(holder.getByText('Invited · link valid until')).toBeVisible();
  });

  await test.step('the colleague chooses a log-in name and a password', async () => {
    await colleague.goto(link);
    await expect(colleague.getByText('You will act for the account holder01.')).toBeVisible();
    await fill(colleague, 'Username', 'annaberg1');
    await fill(colleague, 'Password', OTHER_PASSWORD);
    await fill(colleague, 'Confirm password', OTHER_PASSWORD);
    await colleague.getByRole('button', { name: 'Register' }).click();
    await expect(colleague).toHaveURL(`${server.origin}/`);
  });

  await test.step('read-only: the pages say so, and nothing can be released', async () => {
    const reason = colleague.getByText('You have read-only access. Ask the account holder to change it.');
    await expect(reason).toBeVisible();
    await colleague.goto(`/release/${id}/1/1`);
    await expect(reason).toBeVisible();
    await expect(colleague.getByRole('textbox')).toHaveCount(0);
    await colleague.goto('/settings');
    await expect(colleague.getByText('Anna Berg')).toBeVisible();
    await expect(colleague.getByRole('button', { name: 'Invite colleague' })).toHaveCount(0);
    await expect(colleague.getByRole('button', { name: 'Actions for Anna Berg' })).toHaveCount(0);
  });

  await test.step('the holder reads in the activity log who joined, and ends the access', async () => {
    await expect(holder.getByText('annaberg1')).toBeHidden();
    await holder.reload();
    await expect(holder.getByText('annaberg1')).toBeVisible();
    await holder.getByRole('link', { name: 'Activity log' }).click();
    await expect(row(holder, 'Joined as a colleague').getByText('Anna Berg · holder01')).toBeVisible();
    await holder.goto('/settings');
    // The page first draws what it knew before: the invitation, whose menu has no "Delete".
    await expect(holder.getByText('annaberg1')).toBeVisible();
    await holder.getByRole('button', { name: 'Actions for Anna Berg' }).click();
    await holder.getByRole('button', { name: 'Delete' }).click();
    await holder.getByRole('dialog', { name: 'Delete Anna Berg?' }).getByRole('button', { name: 'Delete' }).click();
    await expect(holder.getByText('No colleagues yet')).toBeVisible();
    await expect(colleague).toHaveURL(/\/login/);
  });
});
