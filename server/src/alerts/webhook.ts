import { createHmac } from 'node:crypto';
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AlertMessage } from '@ams/contract';
import { isInternal } from './internal-address.ts';

const TIMEOUT_MS = 10_000;

class InternalAddress extends Error {
  constructor() {
    super('the address is inside the network');
  }
}

type Resolve = (
  name: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Allowed targets of webhooks; tests pass their own names and addresses. */
export interface Reach {
  resolve: Resolve;
  isAllowed: (address: string) => boolean;
}

const PUBLIC: Reach = { resolve: lookup, isAllowed: (address) => !isInternal(address) };
const ANYWHERE: Reach = { resolve: lookup, isAllowed: () => true };

/**
 * Looks a name up once and refuses it when one of its addresses is not allowed. The connection goes to the addresses
 * that were judged: a name that means something else a moment later (DNS rebinding) gains nothing.
 */
const lookupWithin =
  ({ resolve, isAllowed }: Reach): LookupFunction =>
  (name, options, answer) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) answer(error ?? new Error(`no address for ${name}`), '');
      else if (!found.every(({ address }) => isAllowed(address))) answer(new InternalAddress(), '');
      else if (options.all) answer(null, found);
      else answer(null, first.address, first.family);
    });
  };

export interface Hook {
  url: string;
  secret: string;
  /** The id of the message: the same when it is sent again. */
  id: string;
  /** Whether addresses inside the network are allowed. */
  internal: boolean;
}

/** Sends a signed message. No redirect is followed. Rejects with the reason when it is not taken with a 2xx. */
export async function postWebhook(
  { url, secret, id, internal }: Hook,
  message: AlertMessage,
  reach: Reach = internal ? ANYWHERE : PUBLIC,
): Promise<void> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  // An address is not looked up.
  if (isIP(host) !== 0 && !reach.isAllowed(host)) throw new InternalAddress();
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = (target.protocol === 'https:' ? https : http).request(
    target,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-ams-id': id,
        'x-ams-timestamp': timestamp,
        'x-ams-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      lookup: lookupWithin(reach),
      // A connection that is kept would carry messages to an address that nobody judged for them.
      agent: false,
    },
    (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) resolve();
      else reject(new Error(`HTTP ${statusCode}`));
    },
  );
  request.on('error', reject);
  // An answer that wants to speak another protocol is no response to `request`, and has no time limit.
  request.on('upgrade', ({ statusCode }, socket) => {
    socket.destroy();
    reject(new Error(`HTTP ${statusCode}`));
  });
  request.end(body);
  return promise;
}
