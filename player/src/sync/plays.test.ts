import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Play } from '@ams/contract';
import { MemoryPlays, hastyClock } from '../../test/memory.ts';
import type { PlayBatch } from '../store/ports.ts';
import type { SendReply } from './ports.ts';
import { makePlaySender, randomUuid, sendPlays } from './plays.ts';

const play = (number: number): Play => ({
  releaseId: '01920000-0000-7000-8000-000000000001',
  sha256: number.toString(16).padStart(64, '0'),
  at: '2026-11-21T10:00:00.000Z',
  durationMs: 1000,
  screen: 'main',
});

/** Events between two plays: a lost request or answer, or a crash before the confirmation. */
const event = fc.constantFrom('play', 'send', 'loseRequest', 'loseAnswer', 'crash' as const);

test('every play is counted exactly once, even if messages are lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
      const store = new MemoryPlays();
      const counted = new Map<string, Play[]>();
      const count = ({ batch, plays }: PlayBatch) => {
        if (!counted.has(batch)) counted.set(batch, structuredClone(plays));
      };
      let played = 0;
      for (const kind of [...events, 'send', 'send'] as const) {
        if (kind === 'play') await store.append(play(played++));
        else await attempt(kind, store, count);
      }
      while ((await attempt('send', store, count)) === 'sent');
      const all = [...counted.values()].flat().map((entry) => entry.sha256);
      expect(all.toSorted()).toEqual(Array.from({ length: played }, (_, n) => play(n).sha256).toSorted());
    }),
  );
});

async function attempt(
  kind: 'send' | 'loseRequest' | 'loseAnswer' | 'crash',
  store: MemoryPlays,
  count: (batch: PlayBatch) => void,
) {
  const plays = {
    ...{ take: store.take, chainEnd: store.chainEnd, rewrite: store.rewrite },
    confirm: (batch: string) => (kind === 'crash' ? Promise.reject(new Error('power cut')) : store.confirm(batch)),
  };
  const post = (batch: PlayBatch): Promise<SendReply> => {
    if (kind !== 'loseRequest') count(batch);
    const answered = kind === 'send' || kind === 'crash';
    return Promise.resolve(answered ? { kind: 'accepted' } : { kind: 'failed' });
  };
  return sendPlays({ api: { plays: post }, plays, log: () => undefined }).catch(() => 'crashed' as const);
}

test('a permanently refused report does not block later ones', async () => {
  const store = new MemoryPlays();
  await store.append(play(1));
  const sent: PlayBatch[] = [];
  const plays = (batch: PlayBatch): Promise<SendReply> => {
    sent.push(batch);
    return Promise.resolve(sent.length === 1 ? { kind: 'refused', code: 400 } : { kind: 'accepted' });
  };
  expect(await sendPlays({ api: { plays }, plays: store, log: () => undefined })).toBe('sent');
  await store.append(play(2));
  expect(await sendPlays({ api: { plays }, plays: store, log: () => undefined })).toBe('sent');
  expect(sent.map((batch) => batch.plays.length)).toEqual([1, 1]);
});

test('no batch is made before the clock is right', async () => {
  const store = new MemoryPlays();
  await store.append(play(1));
  let isRight = false;
  let looks = 0;
  const over = new AbortController();
  const clock = { ...hastyClock(), isRight: () => (looks++, isRight) };
  const plays = (): Promise<SendReply> => {
    over.abort();
    return Promise.resolve({ kind: 'accepted' });
  };
  const sending = makePlaySender({ api: { plays }, plays: store, clock, log: () => undefined }).run(over.signal);
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3));
  expect([store.plays.length, store.batches.length]).toEqual([1, 0]);
  isRight = true;
  await sending;
  expect([store.plays.length, store.batches.length]).toEqual([0, 0]);
});

test('batch names are UUIDs of version 4', () => {
  expect(randomUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
