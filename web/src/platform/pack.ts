import type { ShownMessages } from '@ams/contract/messages/en';

/** Texts by namespace and key. */
export type Texts = Record<string, Record<string, string>>;

/** What is loaded of a language. */
export interface LanguagePack {
  /** The language's name in itself. */
  name: string;
  /** What the pages before signing in say. */
  first: () => Promise<Texts>;
  /** The texts `home`: what the frame of signed-in pages and the home page say besides. */
  frame: () => Promise<Texts>;
  /** Everything, the texts above included. */
  texts: () => Promise<Texts>;
  messages: () => Promise<ShownMessages>;
}
