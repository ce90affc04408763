/**
 * Canonical form (`aa:bb:cc:dd:ee:ff`) of a MAC address in any usual notation: colons, dashes, Cisco dots or bare hex,
 * any case, full-width characters of East Asian keyboards too. Undefined if invalid, all-zero or the broadcast address.
 */
export function parseMac(text: string): string | undefined {
  const trimmed = text.normalize('NFKC').trim();
  const hex = trimmed.replace(/[:\-. ]/g, '').toLowerCase();
  if (!/^[0-9a-f]{12}$/.test(hex) || trimmed.length > 17) return undefined;
  if (/^0{12}$|^f{12}$/.test(hex)) return undefined;
  return (hex.match(/../g) ?? []).join(':');
}

/** A canonical MAC address as people read it: `AA:BB:CC:DD:EE:FF`. */
export const formatMac = (mac: string): string => mac.toUpperCase();

/** The title of a device: its name, or its MAC address without one. */
export const deviceLabel = ({ name, mac }: { name: string; mac: string }): string => name || formatMac(mac);

/** The hex digits of a search text that could be part of a MAC in any writing, else undefined. */
export function macSearch(text: string): string | undefined {
  const hex = text
    .normalize('NFKC')
    .replace(/[:\-.\s]/g, '')
    .toLowerCase();
  if (!/^[0-9a-f]{2,12}$/.test(hex)) return undefined;
  return hex;
}

/**
 * A locally administered unicast MAC from six random bytes (IEEE 802: the second-least bit of the
 * first octet set, the least one clear).
 */
export function localMac(random: Uint8Array): string {
  const octets = Array.from(random.subarray(0, 6));
  octets[0] = ((octets[0] ?? 0) & 0xfc) | 0x02;
  return octets.map((octet) => octet.toString(16).padStart(2, '0')).join(':');
}
