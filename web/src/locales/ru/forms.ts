/** The plural forms of Russian: 1, 21, 31…; 2 to 4, 22 to 24…; 0, 5 to 20, 25 to 30…; fractions. */
export type Forms = 'one' | 'few' | 'many' | 'other';
