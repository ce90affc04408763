import type { Page, Request } from '@playwright/test';

const SAME_KIND_MS = 500;

/** Navigates inside the open app like its own links, and waits until pages are idle. */
export class Walker {
  readonly page: Page;
  /** Calls under way; those that began before the walker came are not among them. */
  readonly #open = new Set<Request>();

  constructor(page: Page) {
    this.page = page;
    const isCall = (request: Request): boolean =>
      request.url().includes('/api/') && !request.url().endsWith('/api/live');
    page.on('request', (request) => isCall(request) && this.#open.add(request));
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
  }

  /** Shows `address` without reloading the app. */
  async to(address: string): Promise<void> {
    await this.page.evaluate((to) => {
      document.querySelector('h1, h2')?.setAttribute('data-left', '');
      window.history.pushState({ idx: Number(window.history.state?.idx ?? 0) + 1, key: to, usr: null }, '', to);
      window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }));
    }, address);
    await this.settle();
  }

  /** While the page loads, nothing more is requested, and no placeholder is shown. */
  async settle(): Promise<void> {
    let quietSince = Date.now();
    /** A page of the same kind keeps its heading: it has come when nothing happens any more. */
    const mayStay = () => Date.now() - quietSince > SAME_KIND_MS;
    const still = () =>
      this.page.evaluate((stays) => {
        const heading = document.querySelector('h1, h2');
        const coming = document.querySelector(
          '[class*="skeleton"], #root > [class*="progress"][aria-hidden], [aria-busy=true]',
        );
        const isHere = heading !== null && (stays || !heading.hasAttribute('data-left')) && heading.textContent !== '';
        return isHere && coming === null;
      }, mayStay());
    const nextFrames = () =>
      this.page.evaluate(
        () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
      );
    const quiet = (): boolean => this.#open.size === 0;
    for (const deadline = Date.now() + 15_000; Date.now() < deadline;) {
      if (!quiet()) quietSince = Date.now();
      if (quiet() && (await still())) {
        await nextFrames();
        if (quiet() && (await still())) return;
      }
      await nextFrames();
    }
    const why = await this.page.evaluate(() =>
      [
        document.querySelector('h1, h2')?.outerHTML,
        document.querySelector('[class*="skeleton"], [aria-busy=true]')?.outerHTML,
      ].join(' | '),
    );
    throw new Error(`${this.page.url()} does not come to rest (${this.#open.size} calls under way): ${why}`);
  }
}
