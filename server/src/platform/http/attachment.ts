import { inFileName } from '@ams/contract';

/**
 * `Content-Disposition` of a file to be saved under this name (RFC 6266): other than ASCII characters in UTF-8, for
 * older clients as underscores.
 */
export function attachment(given: string): string {
  const name = inFileName(given);
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}`;
}

const escaped = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
