import { type Ad, AD_NAME_MAX } from '@ams/contract';
import { afterEach, expect, test } from 'vitest';
import { useConfirm } from '../ui/feedback/confirm.ts';
import { askToCopy } from './actions.ts';

afterEach(() => useConfirm.getState().pending?.settle(false));

const suggested = (name: string): string => {
  void askToCopy({ id: 'a', name } as Ad);
  return useConfirm.getState().pending?.input?.initial ?? '';
};

test('the copy of an ad with a long name is called a copy', () => {
  expect(suggested('Autumn')).toBe('Autumn (copy)');
  const long = 'Autumn sale in the shop windows of the harbour, weeks 41 to 44';
  expect(suggested(long.slice(0, AD_NAME_MAX))).toMatch(/^Autumn sale .+ \(copy\)$/);
  for (const length of [50, 51, 52, 53]) {
    const name = suggested(`${'a'.repeat(length)}🍂🍂🍂`);
    expect(name.length).toBeLessThanOrEqual(AD_NAME_MAX);
    expect(name.isWellFormed()).toBe(true);
  }
});
