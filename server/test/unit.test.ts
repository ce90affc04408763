import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const UNIT = path.resolve(import.meta.dirname, '../../docs/deploy/ams@.service');

const linesOfUnit = async (): Promise<string[]> => (await readFile(UNIT, 'utf8')).split('\n');

test('a stop by systemd leaves parsers and conversions to their server', async () => {
  expect(await linesOfUnit()).toContain('KillMode=mixed');
});

test('the unit of systemd continues when memory is short and the system kills a parser', async () => {
  // By default systemd stops all of it in order, which counts as no attempt: the same content would stop it each time.
  expect(await linesOfUnit()).toContain('OOMPolicy=continue');
});
