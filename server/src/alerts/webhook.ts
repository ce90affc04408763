import { createHmac } from 'node:crypto';
import { type LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { AlertMessage } from '@ams/contract';

const TIMEOUT_MS = 10_000;

/** Addresses that are not on the internet (RFC 6890): a webhook must not reach what only this server may. */
const INTERNAL = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INTERNAL.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  INTERNAL.addSubnet(address, bits, 'ipv6');
}

// A BlockList finds IPv4 addresses that are written as IPv6 ones (::ffff:10.0.0.1) by itself.
const isInternal = (address: string): boolean => INTERNAL.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

class InternalAddress extends Error {
  constructor() {
    super('the address is inside the network');
  }
}

/** Looks names up, and refuses them when one of their addresses is internal. */
const publicLookup: LookupFunction = (name, options, answer) => {
  lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    if (error || !first) answer(error, '');
    else if (found.some(({ address }) => isInternal(address))) answer(new InternalAddress(), '');
    else if (options.all) answer(null, found);
    else answer(null, first.address, first.family);
  });
};

export interface Hook {
  url: string;
  secret: string;
  /** Whether addresses inside the network are allowed. */
  internal: boolean;
}

/** Sends a signed message. No redirect is followed. Rejects with the reason when it is not taken with a 2xx. */
export async function postWebhook({ url, secret, internal }: Hook, message: AlertMessage): Promise<void> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (!internal && isIP(host) !== 0 && isInternal(host)) throw new InternalAddress();
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
        'x-ams-timestamp': timestamp,
        'x-ams-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(!internal && { lookup: publicLookup }),
    },
    (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) resolve();
      else reject(new Error(`HTTP ${statusCode}`));
    },
  );
  request.on('error', reject);
  request.end(body);
  return promise;
}
