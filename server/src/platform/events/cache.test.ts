import { expect, test, vi } from 'vitest';
import { Recall, RECALL_MS } from './cache.ts';

function recallOf() {
  const gaps: (() => void)[] = [];
  const events = { listening: true, onGap: (listener: () => void) => (gaps.push(listener), () => undefined) };
  return { events, gap: () => gaps.forEach((listener) => listener()), recall: new Recall<string>(events, 10) };
}

const CHANGES: [string, (over: ReturnType<typeof recallOf>) => void][] = [
  ['it is forgotten', ({ recall }) => recall.forget(['a'])],
  ['another one is forgotten', ({ recall }) => recall.forget(['b'])],
  ['everything is forgotten', ({ recall }) => recall.forget()],
  ['this process heard nobody for a while', ({ gap }) => gap()],
];

test.each(CHANGES)('what was read before is not kept after %s', (_, change) => {
  const over = recallOf();
  const { recall } = over;
  const begun = recall.begin();
  change(over);
  recall.keep(begun, 'a', 'old');
  expect(recall.get('a')).toBeUndefined();
  recall.keep(recall.begin(), 'a', 'new');
  expect(recall.get('a')).toBe('new');
});

test('a process without notifications caches nothing, and drops its cache after a gap', () => {
  const { recall, events, gap } = recallOf();
  recall.keep(recall.begin(), 'a', 'x');
  events.listening = false;
  expect(recall.get('a')).toBeUndefined();
  gap();
  events.listening = true;
  expect(recall.get('a')).toBeUndefined();
});

test('cache entries expire without a notification, also when the state changes with time', async () => {
  const { recall } = recallOf();
  recall.keep(recall.begin(), 'a', 'x');
  recall.keep(recall.begin(), 'b', 'x', 1000);
  recall.keep(recall.begin(), 'c', 'x', 0);
  const known = () => ['a', 'b', 'c'].filter((key) => recall.get(key) === 'x');
  expect(known()).toEqual(['a', 'b']);
  const begun = performance.now();
  const now = vi.spyOn(performance, 'now');
  now.mockReturnValue(begun + 1001);
  await vi.waitFor(() => expect(known()).toEqual(['a']));
  now.mockReturnValue(begun + RECALL_MS + 1);
  await vi.waitFor(() => expect(known()).toEqual([]));
  now.mockRestore();
});
