import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '@ams/contract';

const read = (file: string): { version: string; workspaces?: string[] } =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8'));

it('every package has the version of the product', () => {
  const parts = read('package.json').workspaces ?? [];
  expect(parts.length).toBeGreaterThan(0);
  for (const folder of ['.', ...parts]) {
    expect([folder, read(`${folder}/package.json`).version]).toEqual([folder, VERSION]);
  }
});
