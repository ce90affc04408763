import type { Language } from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import { markup } from '../platform/http/html.ts';
import { sharedPage } from '../platform/http/shared-page.ts';

/** The page of a link that is unknown or no longer valid; it does not give the reason. */
export const invalidLinkPage = ({ language, words }: { language: Language; words: Messages }): string =>
  sharedPage({
    language,
    title: words.shares.invalid,
    body: markup`<h1>${words.shares.invalid}</h1><p>${words.shares.invalidHint}</p>`,
    brand: words.shares.brand,
    foot: [],
  });
