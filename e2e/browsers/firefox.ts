import { existsSync } from 'node:fs';
import { launch } from 'puppeteer-core';
import type { Browser, Tab } from './tab.ts';

const PROGRAM = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

declare global {
  interface Window {
    noteViolation: (directive: string) => void;
  }
}

/** Firefox by WebDriver BiDi. */
export const firefox: Browser = {
  name: 'Firefox',
  isInstalled: existsSync(PROGRAM),
  stores: true,
  open: async (viewport): Promise<Tab> => {
    const browser = await launch({
      browser: 'firefox',
      executablePath: PROGRAM,
      headless: true,
      defaultViewport: viewport,
      // Its screen: the player reports the size of the screen.
      env: { ...process.env, MOZ_HEADLESS_WIDTH: String(viewport.width), MOZ_HEADLESS_HEIGHT: String(viewport.height) },
      // As the policy of a kiosk sets it.
      extraPrefsFirefox: { 'media.autoplay.default': 0, 'intl.accept_languages': 'en-GB' },
    });
    const page = await browser.newPage();
    const violations: string[] = [];
    await page.exposeFunction('noteViolation', (directive: string) => violations.push(directive));
    await page.evaluateOnNewDocument(() => {
      addEventListener('securitypolicyviolation', (event) => {
        window.noteViolation(`${event.documentURI}: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    return {
      goto: async (address) => void (await page.goto(address)),
      evaluate: (expression) => page.evaluate(expression),
      click: (selector) => page.click(selector),
      type: (selector, text) => page.type(selector, text),
      choose: async (selector, file) => {
        const field = await (await page.$(selector))?.toElement('input');
        await field?.uploadFile(file);
      },
      violations: () => violations,
      picture: async () => Buffer.from(await page.screenshot()),
      close: () => browser.close(),
    };
  },
};
