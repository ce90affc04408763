import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPreloads } from './preloads.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ams-preloads-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(
  path.join(folder, 'preloads.json'),
  JSON.stringify({
    '/': ['/assets/home.js'],
    '/mac': ['/assets/list.js', '/assets/list.css'],
    '/mac/:id': ['/assets/device.js'],
    '/matlist/:id/:name?/:type?': ['/assets/files.js'],
  }),
);
const linkOf = readPreloads(folder);

test.each([
  ['/', '</assets/home.js>;rel=modulepreload'],
  ['/mac', '</assets/list.js>;rel=modulepreload,</assets/list.css>;rel=preload;as=style;crossorigin'],
  ['/mac/7', '</assets/device.js>;rel=modulepreload'],
  ['/matlist/7', '</assets/files.js>;rel=modulepreload'],
  ['/matlist/7/a%2Fb', '</assets/files.js>;rel=modulepreload'],
  ['/matlist/7/a/1', '</assets/files.js>;rel=modulepreload'],
  ['/matlist/7/a/1/2', ''],
  ['/matlist', ''],
  ['/mac/7/8', ''],
  ['/mac/', ''],
  ['/elsewhere', ''],
])('%s brings %s', (pathname, link) => {
  expect(linkOf(pathname)).toBe(link);
});

test('a build without preloads brings nothing', () => {
  expect(readPreloads(path.join(folder, 'nowhere'))('/')).toBe('');
});
