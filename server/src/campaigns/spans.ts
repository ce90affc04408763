import type { Span } from '@ams/contract';

/** The time that is in both of two lists of spans, each in order and without overlaps. */
export function intersect(a: readonly Span[], b: readonly Span[]): Span[] {
  const common: Span[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [one, other] = [a[i], b[j]];
    if (!one || !other) break;
    const span = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
    if (span.to > span.from) common.push(span);
    if (one.to < other.to) i += 1;
    else j += 1;
  }
  return common;
}

/** The time of `a` that is not in `b`. */
export function subtract(a: readonly Span[], b: readonly Span[]): Span[] {
  const edges = [-Infinity, ...b.flatMap(({ from, to }) => [from, to]), Infinity];
  const holes = edges.flatMap((from, index): Span[] =>
    index % 2 === 0 ? [{ from, to: edges[index + 1] ?? from }] : [],
  );
  return intersect(a, holes);
}

/** Spans in order of their beginnings, as ones that do not overlap. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);
