import { parseMac } from '@ams/contract';

/** Content of a device's QR code: its MAC, and the pairing code if present. */
export interface Scanned {
  mac: string;
  code?: string;
}

/**
 * Reads what a QR code or barcode held: the address that a player shows (`…/scancode?mac=…&code=…`,
 * of whatever host), or a bare MAC as on a device's label. Undefined when it is neither.
 */
export function parseScanned(text: string): Scanned | undefined {
  const bare = parseMac(text.trim().replace(/^mac[\s:=]+/i, ''));
  if (bare) return { mac: bare };
  if (!URL.canParse(text)) return undefined;
  const { searchParams } = new URL(text);
  const mac = parseMac(searchParams.get('mac') ?? '');
  if (!mac) return undefined;
  const code = searchParams.get('code')?.trim();
  return code ? { mac, code } : { mac };
}

/** Path of the form for a scanned code. Without both values: for manual entry. */
export const pairAddress = ({ mac, code }: Partial<Scanned>): string =>
  `/scancode?${new URLSearchParams({ mac: mac ?? '', code: code ?? '' }).toString()}`;
