/** The plural forms of Arabic: 0, 1, 2, 3 to 10, 11 to 99, hundreds. */
export type Forms = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
