import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Accessibility rules for a page. No page of ours has frames, and nobody reads which elements pass: without a second
 * page for frames ("legacy mode") and without descriptions of what passes, an analysis takes a third of the time.
 */
export const axeOn = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);

/** Finds no violation on a page, but in messages that fade, whose contrast is not their own. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axeOn(page).exclude('[popover=manual]').analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
