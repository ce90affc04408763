/** Chromium's DevTools protocol over the pipe of `--remote-debugging-pipe`: JSON messages that end with a NUL. */

const END = '\0';

/**
 * @typedef {{ id?: number, method?: string, params?: Record<string, unknown>, sessionId?: string, result?: unknown }} Message
 * @typedef {ReturnType<typeof connect>} DevTools
 */

/**
 * @param {import('node:stream').Readable} input what the browser writes
 * @param {import('node:stream').Writable} output what it reads
 * @param {(message: Message) => void} onEvent
 */
export function connect(input, output, onEvent) {
  let last = 0;
  let rest = '';
  /** @type {Map<number, (message: Message) => void>} */
  const waiting = new Map();
  // A browser that ends takes its pipe along.
  for (const stream of [input, output]) stream.on('error', () => undefined);
  input.setEncoding('utf8');
  input.on('data', (/** @type {string} */ chunk) => {
    const texts = `${rest}${chunk}`.split(END);
    rest = texts.pop() ?? '';
    for (const text of texts) take(JSON.parse(text));
  });

  /** @param {Message} message */
  function take(message) {
    if (message.id === undefined) return onEvent(message);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  }

  return {
    /**
     * Resolves with the answer; never when the browser has ended.
     * @param {string} method
     * @param {Record<string, unknown>} [params]
     * @param {string} [sessionId]
     * @returns {Promise<Message>}
     */
    send(method, params = {}, sessionId) {
      last += 1;
      const id = last;
      output.write(JSON.stringify({ id, method, params, sessionId }) + END);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}
