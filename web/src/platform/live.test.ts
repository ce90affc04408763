import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeEventParser } from './live.ts';

const STREAM = ': hello\n\nevent: device\ndata: {"ids":[]}\n\nevent: file\r\ndata: a\r\ndata: b\r\n\r\nretry: 5\n\n';

test('events come out whole however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: STREAM.length - 1 }), { maxLength: 12 }), (cuts) => {
      const parse = makeEventParser();
      const places = [0, ...[...new Set(cuts)].toSorted((a, b) => a - b), STREAM.length];
      const events = places.slice(1).flatMap((end, index) => parse(STREAM.slice(places[index], end)));
      expect(events).toEqual([
        { event: 'device', data: '{"ids":[]}' },
        { event: 'file', data: 'a\nb' },
      ]);
    }),
  );
});
