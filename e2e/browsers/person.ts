import { expect } from '@playwright/test';
import { callOf, type Tab } from './tab.ts';

/** What is named: a control by its words, or any element by a selector. */
type Target = { button: string } | { link: string } | { field: string } | { selector: string; text?: string };

const MARK = 'data-story-target';

/**
 * Marks the first visible element that is meant, in the page, and notes when it is clicked; answers whether there is one.
 */
function mark(target: Record<string, string>, attribute: string): boolean {
  const words = (element: Element): string => (element.getAttribute('aria-label') ?? element.textContent).trim();
  const among = (selector: string, text: string): Element[] =>
    [...document.querySelectorAll(selector)].filter((element) => words(element).includes(text));
  const control = (label: Element): Element[] => {
    const found = label instanceof HTMLLabelElement ? label.control : null;
    return found ? [found] : [];
  };
  const { button, link, field, selector, text = '' } = target;
  const meant =
    button !== undefined
      ? among('button', button)
      : link !== undefined
        ? among('a[href]', link)
        : field !== undefined
          ? among('label', field).flatMap(control)
          : among(selector ?? '', text);
  const visible = meant.find((element) => element.checkVisibility());
  for (const old of document.querySelectorAll(`[${attribute}]`)) old.removeAttribute(attribute);
  visible?.setAttribute(attribute, '');
  sessionStorage.removeItem(attribute);
  visible?.addEventListener('click', () => sessionStorage.setItem(attribute, 'clicked'), { capture: true, once: true });
  return visible !== undefined && !visible.matches(':disabled, [aria-disabled=true]');
}

function readElement(selector: string, attribute: string | null): string | null {
  const element = document.querySelector(selector);
  if (!element) return null;
  return attribute === null ? element.textContent : element.getAttribute(attribute);
}

/** Somebody in front of a tab, who waits for what there is to come. */
export class Person {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  async sees(target: Target): Promise<void> {
    await expect
      .poll(() => this.tab.evaluate(callOf(mark, { ...target }, MARK)), {
        message: JSON.stringify(target),
        timeout: 60_000,
      })
      .toBe(true);
  }

  async clicks(target: Target): Promise<void> {
    // A page that is still loading may replace or move the element between its search and the click.
    await expect(async () => {
      await this.sees(target);
      await this.tab.click(`[${MARK}]`);
      expect(await this.tab.evaluate(`sessionStorage.getItem('${MARK}')`)).toBe('clicked');
    }).toPass({ timeout: 90_000 });
  }

  async types(field: string, text: string): Promise<void> {
    await this.sees({ field });
    await this.tab.type(`[${MARK}]`, text);
  }

  /** Waits until the address matches. */
  async isAt(address: RegExp): Promise<void> {
    await expect.poll(() => this.tab.evaluate('location.pathname'), { timeout: 60_000 }).toMatch(address);
  }

  /** The text or an attribute of the first element that a selector finds. */
  async read(selector: string, attribute?: string): Promise<string | null> {
    const found = await this.tab.evaluate(callOf(readElement, selector, attribute ?? null));
    return typeof found === 'string' ? found : null;
  }
}
