import { LIVE_BEAT_SECONDS, LIVE_KINDS, LIVE_RECENT_SECONDS, type LiveEvent, type LiveKind, home } from '@ams/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { useEffect, useEffectEvent } from 'react';
import { api, envelopeOf } from './api.ts';
import { authorization } from './headers.ts';
import { setAnswering } from './online.ts';

type Listener = (ids: readonly string[]) => void;

const BACKOFF_FIRST = 1000;
/** Short, because the page shows a banner meanwhile. */
const BACKOFF_MAX = 10_000;

const listeners: Record<LiveKind, Set<Listener>> = {
  device: new Set(),
  file: new Set(),
  release: new Set(),
  campaign: new Set(),
};

const isLiveKind = (name: string): name is LiveKind => LIVE_KINDS.some((kind) => kind === name);

const isLiveEvent = (value: unknown): value is LiveEvent =>
  typeof value === 'object' && value !== null && 'ids' in value && Array.isArray(value.ids);

interface Effects {
  /** Something may have gone unheard: all data may be out of date. */
  onGap: () => void;
  /** Something changed: data that is not shown is out of date. */
  onChange?: () => void;
}

function tell({ event = '', data }: EventSourceMessage, { onGap, onChange }: Effects): void {
  if (!isLiveKind(event)) return;
  const told: unknown = JSON.parse(data);
  // Unreadable content may have been anything.
  if (!isLiveEvent(told) || told.ids.length === 0) return onGap();
  onChange?.();
  for (const listener of listeners[event]) listener(told.ids);
}

/** A stream without any data for this long is dead although it was not closed: the computer slept. */
const SILENCE_MAX = (2 * LIVE_BEAT_SECONDS + 5) * 1000;

/** A server that begins no stream for this long does not answer. Milliseconds. */
const OPEN_MAX = LIVE_RECENT_SECONDS * 1000;

/** Opens the stream; undefined when nothing answers in time: on a dead connection, a request may wait for minutes. */
async function open(signal: AbortSignal): Promise<Response | undefined> {
  const opening = new AbortController();
  const end = () => opening.abort();
  const timer = setTimeout(end, OPEN_MAX);
  signal.addEventListener('abort', end);
  const response = await api.openStream(home.live.url, opening.signal);
  clearTimeout(timer);
  if (!response) signal.removeEventListener('abort', end);
  return response;
}

/** Reads until the stream ends or is silent for too long. Rejects when it breaks. */
async function readStream(response: Response, effects: Effects): Promise<void> {
  const parser = createParser({ onEvent: (event) => tell(event, effects) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let silence: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Date.now();
  // The timer stands still while a phone sleeps; its clock does not.
  const wake = () => Date.now() - heardAt > SILENCE_MAX && void reader?.cancel();
  document.addEventListener('visibilitychange', wake);
  try {
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(() => void reader?.cancel(), SILENCE_MAX);
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      heardAt = Date.now();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
    document.removeEventListener('visibilitychange', wake);
  }
}

/** Waits, but no longer than until the network or the person is back. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const over = new AbortController();
    const end = () => {
      over.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { signal: over.signal });
    addEventListener('online', end, { signal: over.signal });
    document.addEventListener('visibilitychange', () => document.hidden || end(), { signal: over.signal });
  });

/**
 * Listens to what changes on the server until aborted, and reports whether the server answers. `onGap` is called whenever
 * something may have gone unheard, or was not answered: after each break and each try that failed, when the stream opened
 * so late that it does not begin with all changes since the call, and when the server itself missed something.
 */
export async function listenLive(signal: AbortSignal, effects: Effects): Promise<void> {
  const began = performance.now();
  let tries = 0;
  let backoff = BACKOFF_FIRST;
  while (!signal.aborted) {
    tries += 1;
    const asked = authorization();
    const response = await open(signal);
    if (signal.aborted) break;
    if (response?.status === 401) {
      // The account was disabled or deleted, or its password was changed: the open page logs out now.
      api.settle(envelopeOf(response.status, await response.json().catch(() => undefined)), asked);
      const now = authorization();
      if (now === undefined || now === asked) return;
      // Another session has begun since: the refusal is not about that one.
      continue;
    }
    setAnswering(response !== undefined && response.status < 500);
    if (response?.ok) {
      if (tries > 1 || performance.now() - began > LIVE_RECENT_SECONDS * 1000) effects.onGap();
      backoff = BACKOFF_FIRST;
      // A break is no reason to worry anybody: often the next try is answered.
      await readStream(response, effects).catch(() => undefined);
    }
    await pause(backoff, signal);
    backoff = Math.min(backoff * 2, BACKOFF_MAX);
  }
  setAnswering(true);
}

/** Calls back with the ids that changed on the server, for as long as the component is shown. */
export function useLive(kind: LiveKind, onChange: Listener): void {
  const latest = useEffectEvent(onChange);
  useEffect(() => {
    const listener: Listener = (ids) => latest(ids);
    listeners[kind].add(listener);
    return () => void listeners[kind].delete(listener);
  }, [kind]);
}
