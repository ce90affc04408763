import { z } from 'zod';

/**
 * Invisible characters: spaces, controls and formats, characters that renderers may ignore
 * (Default_Ignorable_Code_Point: fillers, joiners, variation selectors, tags), and blank symbols classified as graphic.
 */
const INVISIBLE = /[\u{16fe4}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\u{1d159}]/u;

/** Whether a person would see anything of this text. */
export const hasVisible = (text: string): boolean => Array.from(text).some((character) => !INVISIBLE.test(character));

interface NameRules {
  max: number;
  /** The rule of a text that is longer. */
  tooLong: string;
  /** The rule of an empty one; without it a name may be left empty. */
  required?: string;
  /** The part that has to be seen; all of it when left out. */
  seen?: (text: string) => string;
}

/** A name or remark entered by a user: trimmed, with at least one visible character if not empty. */
export const givenName = ({ max, tooLong, required, seen = (text) => text }: NameRules) =>
  z
    .string()
    .trim()
    .min(required === undefined ? 0 : 1, required)
    .max(max, tooLong)
    .refine((text) => text === '' || hasVisible(seen(text)), 'name.invisible');
