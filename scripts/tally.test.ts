import { expect, test } from 'vitest';
import { one } from './tally.mjs';

test('a check that fails names the last lines of its output', () => {
  expect(one('Hostile files', false, 'memory: 3\nNOT as it should be: 3 MB were kept\n').failures).toEqual([
    'Hostile files\n    memory: 3\n    NOT as it should be: 3 MB were kept',
  ]);
});

test('a check that fails without output is named alone, and one that passes is counted alone', () => {
  expect(one('Format', false)).toMatchObject({ failed: 1, failures: ['Format'] });
  expect(one('Format', true, 'all is well')).toMatchObject({ passed: 1, failed: 0, failures: [] });
});
