import { type BrowserContext, expect, test as base } from '@playwright/test';

export * from '@playwright/test';

/** Violations of the Content Security Policy since the last story ended. */
const violations: string[] = [];

/** Notes the violations of a context's pages and workers: Chromium reports each of them on the console. */
export function watchPolicy(context: BrowserContext): void {
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) {
      violations.push(`${message.page()?.url() ?? message.location().url}: ${message.text()}`);
    }
  });
}

/** The violations since the last call. */
export const takeViolations = (): string[] => violations.splice(0);

/** A story fails if one of its pages does what its Content Security Policy forbids. */
export const test = base.extend<{ policy: void }>({
  policy: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are needed
    async ({}, use) => {
      await use();
      expect(takeViolations()).toEqual([]);
    },
    { auto: true },
  ],
});
