import type { Call, Envelope } from '@ams/contract';
import { storage } from './storage.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** The two taps of a double tap are not further apart. */
const DOUBLE_TAP_MS = 500;
/** Another try after a lost answer comes within this time; what comes later is another action. */
const TRY_AGAIN_MS = 10 * 60_000;
const KEY_BYTES = 16;

type Answer = Envelope<unknown>;
type Send = (key: string) => Promise<Answer>;

/** One user action. */
export interface Intent {
  key: string;
  call: Call;
  /** From the first tap on; undefined again when the answer was lost. */
  answer?: Promise<Answer> | undefined;
  isAnswered: boolean;
  /** When its answer was lost; milliseconds since 1970. */
  lostAt?: number;
  /** How many confirmations had been asked for when it began. */
  confirmations: number;
}

let confirmations = 0;

/** An address up to the id in it. */
const THING = /^\/api\/[^/]+\/[\da-f-]{36}/;

/** The address of what a call changes, or the action of a batch; undefined for one that makes something new. */
const thingOf = ({ method, url, body }: Call): string | undefined =>
  (THING.exec(url) ??
    (method === 'PUT' || method === 'PATCH' ? [url] : /"action":"\w+"/.exec(JSON.stringify(body))))?.[0];

/** Calls that take back what was done through another address; another release takes the place of the one before. */
const TAKES_BACK = /^DELETE|\/(?:undo|withdraw|reject|cancel|end|release|update)$/;

/** The feature that a call belongs to. */
const featureOf = ({ url }: Call): string | undefined => {
  if (/\/(?:release|update)$/.test(url)) return 'releases';
  return /\/(?:batch|undo)$/.test(url) ? 'batches' : url.split('/')[2];
};

/** Whether a call takes back what another one may have done. */
const takesBack = (done: Call, lost: Call): boolean =>
  TAKES_BACK.test(done.method + done.url) && featureOf(done) === featureOf(lost);

const begun = (call: Call): Intent => ({
  key: newKey(),
  call,
  isAnswered: false,
  confirmations,
});

/** A person is asked to confirm something: what they then do is no double tap of what they did before. */
export const askedToConfirm = (): void => void (confirmations += 1);

/** A random key (RFC 4648 hexadecimal); unlike `crypto.randomUUID` also in an insecure context. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether an answer shows the result of the request; after other answers the server may or may not have carried it out. */
export const isConclusive = ({ code }: Answer): boolean => code > 0 && code < 500 && code !== 429;

/**
 * Gives every intent one idempotency key. A changing call that is made again while the first one is under way, or
 * within a double tap, is the same intent and gets the same answer. A call whose answer was lost
 * keeps its key for ten minutes: another try within them cannot take effect twice, unless something else was done to the
 * same thing meanwhile, or what it did was taken back or replaced.
 */
export class Intents {
  readonly open = new Map<string, Intent>();
  /** Called when one began or was answered. What an earlier page of this tab kept may not be true any more. */
  onChange = (): void => storage.mirror('intents', []);

  /** Makes the call by `send`, unless it is one that is being made already. */
  async once(call: Call, send: Send): Promise<Answer> {
    const { method, url, body } = call;
    // Comparing the bytes of files would take too long.
    if (body instanceof FormData) return send(newKey());
    const name = `${method} ${url} ${JSON.stringify(body) ?? ''}`;
    this.#forgetAnswered(name);
    const intent = this.#current(name) ?? begun(call);
    this.open.set(name, intent);
    intent.answer ??= this.#follow(name, intent, send);
    this.onChange();
    const answer = await intent.answer;
    // Something else was done since then: a setting may be set back, and a rollout paused again after it was resumed.
    if (answer.error === undefined) this.#forgetLost(call);
    this.onChange();
    return answer;
  }

  async #follow(name: string, intent: Intent, send: Send): Promise<Answer> {
    const began = performance.now();
    const answer = await send(intent.key);
    intent.isAnswered = isConclusive(answer);
    // A refusal had no effect: to try again once it was shown is no double tap.
    const since = answer.error === undefined ? performance.now() : began;
    if (intent.isAnswered) setTimeout(() => this.#close(name, intent), since + DOUBLE_TAP_MS - performance.now());
    else Object.assign(intent, { answer: undefined, lostAt: Date.now() });
    return answer;
  }

  #current(name: string): Intent | undefined {
    const intent = this.open.get(name);
    if (!intent) return undefined;
    const isOver = intent.isAnswered && intent.confirmations !== confirmations;
    // The answer that the server kept would say that what is done now was done then.
    const isLongAgo = intent.answer === undefined && Date.now() - (intent.lostAt ?? 0) > TRY_AGAIN_MS;
    return isOver || isLongAgo ? undefined : intent;
  }

  #close(name: string, intent: Intent): void {
    if (this.open.get(name) === intent) this.open.delete(name);
  }

  #forgetLost(done: Call): void {
    const thing = thingOf(done);
    for (const [name, { answer, call }] of this.open) {
      const isSame = thing !== undefined && thingOf(call) === thing;
      if (answer === undefined && (isSame || takesBack(done, call))) this.open.delete(name);
    }
  }

  /** Something else is done now: to do the first thing again afterwards is another intent. */
  #forgetAnswered(except: string): void {
    for (const [name, intent] of this.open) if (name !== except && intent.isAnswered) this.#close(name, intent);
  }
}
