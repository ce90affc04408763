import { defineConfig, devices } from '@playwright/test';

const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

/** What these say about seconds and frames needs the computer for themselves: `--workers=1`. */
const MEASURED = /(live|releases|takeover|player)\.spec\.ts$/;
/**
 * Minutes long each: servers killed and restarted under load, faults of devices, days of playback, every page in twelve
 * languages.
 */
const LONG = /(faults\/.*|player-faults|player-kills|player-stage|languages)\.spec\.ts$/;
/** Stories of browsers that Playwright does not drive. */
const BROWSERS = /browsers\/.*\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'stories', testIgnore: [MEASURED, LONG, BROWSERS] },
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
  // A slow computer converts videos and draws pages on two cores.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: report !== undefined,
  reporter: report === undefined ? [['list']] : [['list'], ['json', { outputFile: report }]],
  use: {
    ...devices['Desktop Chrome'],
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // A trace films every page, which two cores notice: `--trace retain-on-failure` when a test is looked into.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
