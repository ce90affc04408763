import { z } from 'zod';
import { hasVisible } from '../kernel/name.ts';

/** Tags of one device. */
export const TAGS_MAX = 20;
/** Characters of a tag. */
export const TAG_LENGTH_MAX = 30;

/**
 * Characters that nobody sees. The first group is kept: emoji with what joins or colours them, and joiners between letters
 * that they change, as in Persian and Hindi.
 */
const UNSEEN =
  /(\p{Extended_Pictographic}\ufe0f?(?:\u200d(?=\p{Extended_Pictographic}))?|(?!\p{Default_Ignorable_Code_Point})[\p{Script=Arabic}\p{M}][\u200c\u200d](?=(?!\p{Default_Ignorable_Code_Point})\p{L}))|[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/**
 * The one way to write a tag: compatibility characters and accents composed (NFKC), so that full-width and combined
 * writings are one; nothing invisible; lower case; single spaces. Tags are compared and stored in this form.
 */
export const normalizeTag = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(UNSEEN, (_, seen: string | undefined) => seen ?? '')
    .toLowerCase()
    // A removed character may have parted an accent from its letter, and lower case can decompose: "İ" becomes an i and a dot.
    .normalize('NFKC')
    .replace(/ +/g, ' ')
    .trim();

/** Separate tags in a spreadsheet's cell and in a text field, so that no tag contains one. */
const SEPARATOR = /[,;\n،、]/u;

/** Whether a normalised text can be a tag: 1 to 30 characters, of which a person sees at least one, on one line. */
export const isTag = (tag: string): boolean =>
  Array.from(tag).length <= TAG_LENGTH_MAX && hasVisible(tag) && !SEPARATOR.test(tag);

/** The tags in a text that separates them by commas, semicolons or lines: normalised, each once, valid or not. */
export const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .normalize('NFKC')
      .split(SEPARATOR)
      .map(normalizeTag)
      .filter((tag) => tag !== ''),
  ),
];

/** Where the last tag of such a text begins, which may be unfinished; the length of the text after a separator. */
export const startOfLastTag = (text: string): number => text.search(/[^,;\n，；،、]*$/u);

/** A tag as somebody writes it; read in its one form. */
export const Tag = z.string().max(200).transform(normalizeTag).refine(isTag, 'tag.invalid');

/** Tags of a device, each once and in alphabetical order. */
export const Tags = z
  .array(Tag)
  .transform((tags) => changedTags([], tags, []))
  .refine((tags) => tags.length <= TAGS_MAX, 'tag.count');

/** Tags in alphabetical order, each once, after some are added and others removed. All are normalised. */
export function changedTags(tags: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  const gone = new Set(remove);
  return [...new Set([...tags.filter((tag) => !gone.has(tag)), ...add])].toSorted();
}
