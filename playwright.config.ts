import { defineConfig, devices } from '@playwright/test';

const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

/** What these say about seconds and frames needs the computer for themselves: `--workers=1`. */
const MEASURED = /e2e\/(story|live|releases|takeover|player)\.spec\.ts$/;
/** Every page in twelve languages. */
const LANGUAGES = /e2e\/languages\.spec\.ts$/;
/** Minutes long each: servers killed and restarted under load, faults of devices, days of playback. */
const LONG = /e2e\/(faults\/.*|player-faults|player-kills|player-stage)\.spec\.ts$/;
/** Stories of browsers that Playwright does not drive. */
const BROWSERS = /e2e\/browsers\/.*\.spec\.ts$/;

const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** The browser of devices, and of everything that is measured. */
const CHROMIUM = { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS };
/** The same engine without windows, in half of the processor time: for operators' pages. */
const SHELL = {
  executablePath: process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell',
  // There is none: without the flag a process emulates one.
  args: [...ARGS, '--disable-gpu'],
};

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  projects: [
    { name: 'stories', testIgnore: [MEASURED, LANGUAGES, LONG, BROWSERS], use: { launchOptions: SHELL } },
    { name: 'languages', testMatch: LANGUAGES, use: { launchOptions: SHELL } },
    // Before a release: `npx playwright test --project=long`.
    { name: 'long', testMatch: LONG },
    { name: 'measured', testMatch: MEASURED },
    // `npm run e2e:browsers`: Firefox and WebKitGTK as Debian packages them.
    { name: 'browsers', testMatch: BROWSERS },
  ],
  // Each story has a server of its own.
  workers: 2,
  // The summary lists stories that needed a retry separately.
  retries: report === undefined ? 0 : 1,
  // A slow computer converts videos and draws pages on two cores, beside other tests.
  timeout: 240_000,
  expect: { timeout: 40_000 },
  forbidOnly: report !== undefined,
  reporter: report === undefined ? [['list']] : [['list'], ['json', { outputFile: report }]],
  use: {
    ...devices['Desktop Chrome'],
    actionTimeout: 40_000,
    navigationTimeout: 40_000,
    screenshot: 'only-on-failure',
    // A trace films every page, which two cores notice: `--trace retain-on-failure` when a test is looked into.
    trace: 'off',
    launchOptions: CHROMIUM,
  },
});
