import { expect, test, vi } from 'vitest';
import { Cache, CACHE_MS } from './cache.ts';

function cacheOf() {
  const gaps: (() => void)[] = [];
  const events = { listening: true, onGap: (listener: () => void) => (gaps.push(listener), () => undefined) };
  return { events, gap: () => gaps.forEach((listener) => listener()), cache: new Cache<string>(events, 10) };
}

const CHANGES: [string, (over: ReturnType<typeof cacheOf>) => void][] = [
  ['it is invalidated', ({ cache }) => cache.invalidate(['a'])],
  ['another one is invalidated', ({ cache }) => cache.invalidate(['b'])],
  ['everything is invalidated', ({ cache }) => cache.invalidate()],
  ['this process received no notifications for a while', ({ gap }) => gap()],
];

test.each(CHANGES)('what was read before is not kept after %s', (_, change) => {
  const over = cacheOf();
  const { cache } = over;
  const begun = cache.begin();
  change(over);
  cache.set(begun, 'a', 'old');
  expect(cache.get('a')).toBeUndefined();
  cache.set(cache.begin(), 'a', 'new');
  expect(cache.get('a')).toBe('new');
});

test('a process without notifications caches nothing, and drops its cache after a gap', () => {
  const { cache, events, gap } = cacheOf();
  cache.set(cache.begin(), 'a', 'x');
  events.listening = false;
  expect(cache.get('a')).toBeUndefined();
  gap();
  events.listening = true;
  expect(cache.get('a')).toBeUndefined();
});

test('cache entries expire without a notification, also when the state changes with time', async () => {
  const { cache } = cacheOf();
  cache.set(cache.begin(), 'a', 'x');
  cache.set(cache.begin(), 'b', 'x', 1000);
  cache.set(cache.begin(), 'c', 'x', 0);
  const known = () => ['a', 'b', 'c'].filter((key) => cache.get(key) === 'x');
  expect(known()).toEqual(['a', 'b']);
  const begun = performance.now();
  const now = vi.spyOn(performance, 'now');
  now.mockReturnValue(begun + 1001);
  await vi.waitFor(() => expect(known()).toEqual(['a']));
  now.mockReturnValue(begun + CACHE_MS + 1);
  await vi.waitFor(() => expect(known()).toEqual([]));
  now.mockRestore();
});
