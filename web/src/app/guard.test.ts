import { expect, test } from 'vitest';
import { guard } from './guard.ts';

const at = (path: string) => new URL(path, 'http://x');

test('only login and register are open without a session', () => {
  expect(guard(at('/login'), false)).toBeUndefined();
  expect(guard(at('/register/ABCD2345'), false)).toBeUndefined();
  expect(guard(at('/'), false)).toBe('/login');
  expect(guard(at('/logout'), false)).toBe('/login');
  expect(guard(at('/loginx'), false)).toBe('/login?next=%2Floginx');
  expect(guard(at('/mac?online=true&q=a%26b'), false)).toBe('/login?next=%2Fmac%3Fonline%3Dtrue%26q%3Da%2526b');
});

test('with a session every route is let through', () => {
  for (const path of ['/', '/mac/1', '/login', '/logout']) expect(guard(at(path), true)).toBeUndefined();
});
