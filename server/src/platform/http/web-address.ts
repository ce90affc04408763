import { AppError } from '@ams/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../process/config.ts';

/** A name, an IPv4 or a bracketed IPv6 address, with or without a port (RFC 9110 §7.2), and nothing else. */
const AUTHORITY = /^(?:\[[\da-f:.]{2,45}\]|[a-z\d](?:[a-z\d._-]{0,252}[a-z\d])?\.?)(?::\d{1,5})?$/i;

/**
 * The address people reach the web app at, without a slash at its end. Without `PUBLIC_URL` it is the authority that
 * the request itself was sent to. `X-Forwarded-Host` is not used: many proxies pass on what a client puts there.
 * Throws `INVALID` when that authority is no host.
 */
export function webAddress({ publicUrl }: Config, request: FastifyRequest): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host = '' } = request.headers;
  const address = `${request.protocol}://${host}`;
  // Some that look right are not: port 99999, or 256.1.1.1.
  if (!AUTHORITY.test(host) || !URL.canParse(address)) throw new AppError('INVALID');
  return address;
}
