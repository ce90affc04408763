import fc from 'fast-check';

/** Text that has broken somebody's database, file system, parser or page before. */
export const NASTY_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u202e',
  '\ufeff',
  "' or 1=1--",
  "'; drop table users; --",
  '%',
  '_%\\',
  '\\',
  '"',
  '$1',
  '{t}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '//evil.example',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'C:\\con',
  '=cmd|"/c calc"!A0',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '٣',
  'İ',
  'ß',
  '👨‍👩‍👧‍👦',
  'a\u0301',
  '\r\nset-cookie: a=b',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01T00:00:00Z',
  '2026-02-29',
  '2026-11-21T24:00:00Z',
  '00:00:00:00:00:00',
  'ff-ff-ff-ff-ff-ff',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '127.0.0.1',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'a'.repeat(5000),
] as const;

const NASTY_NUMBERS = [0, -0, -1, 0.1, 1e-320, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, -1e308];

export const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);

/** Any JSON at all. */
export const nastyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    nastyText,
    fc.constantFrom(...NASTY_NUMBERS, null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(nastyText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Bodies that are no JSON, or JSON that parsers trip over. */
export const nastyBody = fc.oneof(
  nastyValue.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '0',
    '{"__proto__":{"role":"leading"}}',
    '{"constructor":{"prototype":{"role":"leading"}}}',
    '{"a":1,"a":2}',
    '['.repeat(5000),
    `{"q":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    '\ufeff{}',
    '{"limit":1e999}',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
