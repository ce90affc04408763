type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type Stem<K> = K extends `${infer S}_${Plural}` ? S : never;

/**
 * The shape that a translation of `T` has: the same keys, and of a counted text at least its `_other`
 * form; which further plural forms it needs is the language's own affair (CLDR).
 */
export type Texts<T> = { readonly [K in keyof T as K extends `${string}_${Plural}` ? never : K]: string } & {
  readonly [K in `${Stem<keyof T>}_other`]: string;
} & { readonly [K in `${Stem<keyof T>}_${Plural}`]?: string };
