import { LIVE_KINDS, LiveEvent, type LiveKind, home } from '@ams/contract';
import { useEffect, useEffectEvent } from 'react';
import { api, envelopeOf } from './api.ts';
import { storage } from './storage.ts';

type Listener = (ids: readonly string[]) => void;

const BACKOFF_FIRST = 1000;
const BACKOFF_MAX = 30_000;

const listeners: Record<LiveKind, Set<Listener>> = { device: new Set(), file: new Set(), release: new Set() };

export interface ServerEvent {
  event: string;
  data: string;
}

/** Splits a server-sent event stream (WHATWG HTML §9.2.6) as it comes: feed text, get whole events. */
export function makeEventParser(): (text: string) => ServerEvent[] {
  let buffer = '';
  return (text) => {
    buffer += text;
    const blocks = buffer.split(/\r\n\r\n|\n\n|\r\r/);
    buffer = blocks.pop() ?? '';
    return blocks.map(parseBlock).filter((event) => event.data !== '');
  };
}

function parseBlock(block: string): ServerEvent {
  const event: ServerEvent = { event: 'message', data: '' };
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event.event = value;
    if (field === 'data') event.data += (event.data === '' ? '' : '\n') + value;
  }
  return event;
}

const isLiveKind = (name: string): name is LiveKind => LIVE_KINDS.some((kind) => kind === name);

function tell({ event, data }: ServerEvent): void {
  if (!isLiveKind(event)) return;
  const { ids } = LiveEvent.parse(JSON.parse(data));
  for (const listener of listeners[event]) listener(ids);
}

async function readStream(response: Response): Promise<void> {
  const parse = makeEventParser();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return;
    for (const event of parse(decoder.decode(chunk.value, { stream: true }))) tell(event);
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/**
 * Listens to what changes on the server until aborted. EventSource cannot send the bearer header, so
 * the stream is read by fetch. After a gap `onGap` is called once it is back: anything may have changed.
 */
export async function listenLive(signal: AbortSignal, onGap: () => void): Promise<void> {
  let backoff = BACKOFF_FIRST;
  let gap = false;
  while (!signal.aborted) {
    try {
      const headers = { Authorization: `Bearer ${storage.token() ?? ''}`, Accept: 'text/event-stream' };
      const response = await fetch(home.live.url, { headers, signal });
      if (response.status === 401) {
        // The account was forbidden, deleted or given another password: whoever looks at a page learns it now.
        const body: unknown = await response.json().catch(() => undefined);
        return signal.aborted ? undefined : api.settle(envelopeOf(response.status, body));
      }
      if (response.ok) {
        if (gap) onGap();
        backoff = BACKOFF_FIRST;
        await readStream(response);
      }
    } catch {
      // The network went away: the loop tries again.
    }
    gap = true;
    await pause(backoff, signal);
    backoff = Math.min(backoff * 2, BACKOFF_MAX);
  }
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
