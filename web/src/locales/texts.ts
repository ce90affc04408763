type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type Stem<K> = K extends `${infer S}_${Plural}` ? S : never;

/**
 * The shape that a translation of `T` has: the same keys, and of a counted text each plural form of
 * `Forms`, which are the CLDR categories of the language (`Intl.PluralRules`).
 */
export type Texts<T, Forms extends Plural = 'other'> = {
  readonly [K in keyof T as K extends `${string}_${Plural}` ? never : K]: string;
} & { readonly [K in `${Stem<keyof T>}_${Forms}`]: string };
