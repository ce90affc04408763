import path from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { watchPolicy } from './stories.ts';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const KIOSK_ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--autoplay-policy=no-user-gesture-required',
];

/** A device's browser. Its profile is on disk, below `folder`: what a device stores must outlive its page. */
export async function launchKiosk(
  folder: string,
  viewport: { width: number; height: number },
  moreArgs: string[] = [],
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    executablePath: CHROMIUM,
    viewport,
    // A kiosk fills its screen: the player reports the size of the screen.
    screen: viewport,
    locale: 'en-GB',
    args: [...KIOSK_ARGS, ...moreArgs],
  });
  watchPolicy(context);
  return { context, page: context.pages()[0] ?? (await context.newPage()) };
}
