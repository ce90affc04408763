import type { FastifyRequest } from 'fastify';
import type { Config } from '../process/deps.ts';
import { webAddress } from './web-address.ts';

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/** `/.well-known/security.txt` (RFC 9116). */
export function securityText(config: Config, request: FastifyRequest, now: Date): string {
  const home = webAddress(config, request);
  return [
    // Without a contact setting, the installation's own address is the contact.
    `Contact: ${config.securityContact ?? `${home}/`}`,
    `Expires: ${new Date(now.getTime() + VALID_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${home}/.well-known/security.txt`,
    '',
  ].join('\n');
}
