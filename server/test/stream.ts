import { expect, vi } from 'vitest';
import type { Session, TestServer } from './server.ts';

/** The events that an open page of a user receives. */
export interface TestStream {
  /** Events received since `forget`. */
  text(): string;
  forget(): void;
  /** Waits until it receives a text; false if the server ends it first. */
  hears(text: string): Promise<boolean>;
}

export async function openStream(server: Pick<TestServer, 'url'>, { token }: Session): Promise<TestStream> {
  const reply = await fetch(`${server.url}/api/live`, { headers: { authorization: `Bearer ${token}` } });
  let heard = '';
  let ended = false;
  const read = async (): Promise<void> => {
    for await (const chunk of reply.body ?? []) heard += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => undefined)
    .finally(() => (ended = true));
  return {
    text: () => heard,
    forget: () => {
      heard = '';
    },
    hears: async (text) => {
      await vi.waitFor(() => expect(ended || heard.includes(text)).toBe(true), { interval: 20 });
      return !ended;
    },
  };
}
