import { z } from 'zod';

/** The longest address to which a QR code may lead. */
export const SCAN_TARGET_MAX = 500;

/** HTTP or HTTPS on their own ports, a name, and nobody's password. IPv6 and user names have a colon or an at sign. */
const ADDRESS = /^https?:\/\/([^/?#@:]+)(?:[/?#]|$)/;

/** The parser of URLs writes IPv4 in whatever form with four numbers. */
const IS_NUMERIC = /^\d+\.\d+\.\d+\.\d+$/;

/** Names that mean something else in each network, besides those without a dot (RFC 6761, RFC 6762, RFC 8375). */
const IS_INTERNAL = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|onion|arpa)$/;

const Url = z.url({ normalize: true });

/**
 * A public web address in its one form; undefined for any other text. Addresses by number are refused as a whole: no
 * advertiser has one, and that leaves no form of an internal one.
 */
export function scanTargetOf(text: string): string | undefined {
  if (text.length > SCAN_TARGET_MAX || /[\s\\\p{Cc}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return undefined;
  const { data: href = '' } = Url.safeParse(text);
  const name = ADDRESS.exec(href)?.[1]?.replace(/\.$/, '') ?? '';
  const isPublic = name.includes('.') && !IS_NUMERIC.test(name) && !IS_INTERNAL.test(name);
  return isPublic && href.length <= SCAN_TARGET_MAX ? href : undefined;
}

export const isScanTarget = (text: string): boolean => scanTargetOf(text) !== undefined;
