import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Accessibility rules for a page. No page of ours has frames, and nobody reads which elements pass: without a second
 * page for frames ("legacy mode") and without descriptions of what passes, an analysis takes a third of the time.
 */
export const axeOn = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
