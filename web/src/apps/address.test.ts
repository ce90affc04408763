import type { App } from '@ams/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detailsPath, followable, paintedOf } from './address.ts';

const ORIGIN = 'https://ads.example';
const NAMES = ['id', 'name', 'content', 'url', 'ctime', 'forced', 'code', 'istype'] as const;

const APP: App = {
  id: '01900000-0000-7000-8000-000000000000',
  name: 'Player',
  content: 'Faster start',
  url: '/media/abc?e=1&s=a_b-c',
  ctime: '2026-11-21T08:00:00.000Z',
  forced: true,
  code: 12,
  istype: 2,
  package: 'com.example.player',
  version: '1.2',
  bytes: 1000,
  sha256: 'abc',
  icon: null,
  published: true,
  signer: null,
  uploadedBy: null,
  own: true,
  createdAt: '2026-11-21T08:00:00.000Z',
};

/** Route parameters as parsed by browser and router. */
function paint(path: string) {
  const [, page, ...values] = new URL(path, ORIGIN).pathname.split('/');
  expect([page, values.length]).toEqual(['appdetails', NAMES.length]);
  return paintedOf(
    Object.fromEntries(NAMES.map((name, index) => [name, decodeURIComponent(values[index] ?? '')])),
    ORIGIN,
  );
}

test('an address says what the list knew', () => {
  expect(paint(detailsPath(APP))).toEqual({
    ...{ id: APP.id, name: 'Player', content: 'Faster start', ctime: APP.ctime, forced: true, code: 12, istype: 2 },
    url: `${ORIGIN}/media/abc?e=1&s=a_b-c`,
  });
});

test.each(['', '   ', '.', '..'])('%j stands as an empty value', (name) => {
  expect(paint(detailsPath({ ...APP, name })).name).toBe('');
});

test.each(['a/b', '100 %', '%E0%A4%A', 'a?b#c', '播放器 📺', 'مشغل', '<img onerror=x>', '\ud800'])(
  '%j comes through an address',
  (name) => expect(paint(detailsPath({ ...APP, name })).name).toBe(name.toWellFormed()),
);

test('no name or text breaks an address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'binary' }), (name, content) => {
      const painted = paint(detailsPath({ ...APP, name, content }));
      expect(painted).toMatchObject({ id: APP.id, code: 12, istype: 2, forced: true });
    }),
  );
});

test('an address stays short, and so does what is painted from a long one', () => {
  const long = '好'.repeat(5000);
  expect(detailsPath({ ...APP, name: long, content: long }).length).toBeLessThan(5000);
  expect(paint(`/appdetails/1/${'n'.repeat(10_000)}/c/u/t/1/2/3`).name).toHaveLength(200);
});

describe('an address in an address is followed', () => {
  test.each(['/media/abc?e=1', 'https://cdn.example/a.apk', 'http://cdn.example/a.apk', 'a.apk'])('%s', (url) => {
    expect(followable(url, ORIGIN)).toMatch(/^https?:\/\//);
  });
});

describe('an address in an address is left out', () => {
  test.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://ads.example/1',
    'intent://x#Intent;end',
    'https://admin:secret@ads.example/',
    'http://',
    '-',
    '',
    undefined,
  ])('%j', (url) => expect(followable(url, ORIGIN)).toBeUndefined());
});

test('nonsense paints nothing', () => {
  expect(paint('/appdetails/x/-/-/javascript%3Aalert(1)/yesterday/maybe/1e3/9')).toEqual({
    ...{ id: 'x', name: '', content: '', url: undefined, ctime: undefined, forced: false },
    ...{ code: undefined, istype: undefined },
  });
});

test.each([
  ['1795248000', '2026-11-21T08:00:00.000Z'],
  ['1795248000000', '2026-11-21T08:00:00.000Z'],
])('a time may be %s', (ctime, iso) => {
  expect(paintedOf({ ctime }, ORIGIN).ctime).toBe(iso);
});
