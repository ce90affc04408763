import path from 'node:path';
import type { Device } from '@ams/contract';
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { dataOf, type RealServer } from './server.ts';
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

/** An upright device in a browser of its own, which the signed-in person pairs by the code on its screen. */
export async function pairKiosk(
  server: RealServer,
  mac: string,
): Promise<{ kiosk: BrowserContext; screen: Page; device: Device }> {
  const { context: kiosk, page: screen } = await launchKiosk(server.folder, { width: 360, height: 640 });
  const device = await pairScreen(server, screen, { mac, name: 'Lobby' });
  return { kiosk, screen, device };
}

/** What is known of a device as it is paired; left out: a MAC of its own, the signed-in person. */
interface Pairing {
  mac?: string;
  name?: string;
  ownerId?: string;
}

/** Opens the player in a page; the signed-in person pairs it by the code on its screen. */
export async function pairScreen(server: RealServer, screen: Page, { mac, ...known }: Pairing): Promise<Device> {
  await screen.goto(`${server.origin}/player/${mac === undefined ? '' : `?mac=${mac}`}`);
  await expect(screen.getByTestId('code')).toHaveText(/^\d{6}$/);
  const code = (await screen.getByTestId('code').textContent()) ?? '';
  return dataOf(await server.calls.devices.pair({ body: { code, ...known } }));
}
