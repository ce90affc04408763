import { expect, test, vi } from 'vitest';
import { Recall, RECALL_MS } from './recall.ts';

function recallOf() {
  const gaps: (() => void)[] = [];
  const events = { listening: true, onGap: (listener: () => void) => (gaps.push(listener), () => undefined) };
  return { events, gap: () => gaps.forEach((listener) => listener()), recall: new Recall<string>(events, 10) };
}

test('what was read before anything was forgotten is not kept after it', () => {
  const { recall, gap } = recallOf();
  for (const change of [() => recall.forget(['a']), () => recall.forget(['b']), () => recall.forget(), gap]) {
    const begun = recall.begin();
    change();
    recall.keep(begun, 'a', 'old');
    expect(recall.get('a')).toBeUndefined();
    recall.keep(recall.begin(), 'a', 'new');
    expect(recall.get('a')).toBe('new');
  }
});

test('whoever hears nobody recalls nothing, and after a gap nothing from before', () => {
  const { recall, events, gap } = recallOf();
  recall.keep(recall.begin(), 'a', 'x');
  events.listening = false;
  expect(recall.get('a')).toBeUndefined();
  gap();
  events.listening = true;
  expect(recall.get('a')).toBeUndefined();
});

test('what nobody told of is forgotten by itself; what changes of itself, in time', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const { recall } = recallOf();
  recall.keep(recall.begin(), 'a', 'x');
  recall.keep(recall.begin(), 'b', 'x', 1000);
  recall.keep(recall.begin(), 'c', 'x', 0);
  expect([recall.get('a'), recall.get('b'), recall.get('c')]).toEqual(['x', 'x', undefined]);
  vi.advanceTimersByTime(1001);
  expect([recall.get('a'), recall.get('b')]).toEqual(['x', undefined]);
  vi.advanceTimersByTime(RECALL_MS);
  expect(recall.get('a')).toBeUndefined();
  vi.useRealTimers();
});
