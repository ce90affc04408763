import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const STREAM = ': hello\n\nevent: device\ndata: {"ids":[]}\n\nevent: file\r\ndata: a\r\ndata: b\r\n\r\nretry: 5\n\n';

test('events come out whole however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: STREAM.length - 1 }), { maxLength: 12 }), (cuts) => {
      const events: EventSourceMessage[] = [];
      const parser = createParser({ onEvent: (event) => events.push(event) });
      const places = [0, ...[...new Set(cuts)].toSorted((a, b) => a - b), STREAM.length];
      for (const [index, end] of places.slice(1).entries()) parser.feed(STREAM.slice(places[index], end));
      expect(events).toEqual([
        { event: 'device', data: '{"ids":[]}' },
        { event: 'file', data: 'a\nb' },
      ]);
    }),
  );
});
