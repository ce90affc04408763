import { expect, test } from 'vitest';
import { destination } from './destination.ts';

test('the way after signing in keeps its query and never leaves the app', () => {
  expect(destination('/mac?online=true&q=a%26b')).toBe('/mac?online=true&q=a%26b');
  for (const bad of [
    null,
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/..//evil.example/',
    '/.//evil.example/',
    '/a/..//evil.example/',
    'javascript:alert(1)',
    '/login',
    // No address at all.
    '//',
    '/\\',
    '//[',
  ])
    expect(destination(bad)).toBe('/');
});
