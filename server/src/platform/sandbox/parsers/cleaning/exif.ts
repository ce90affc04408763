const ORIENTATION = 0x0112;
const SHORT = 3;
/** An IFD that anybody needs has a few dozen entries. */
const ENTRIES_MAX = 1000;

/** The orientation of a picture, 1 to 8 (Exif 3.0 §4.6.4 A), from its TIFF block; 1 if it has none. */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return 1;
  const little = order === 'II*\0';
  const short = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number): number => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  if (tiff.length < 10) return 1;
  const ifd = long(4);
  if (ifd + 2 > tiff.length) return 1;
  const entries = Math.min(short(ifd), ENTRIES_MAX, Math.floor((tiff.length - ifd - 2) / 12));
  for (let at = ifd + 2; at < ifd + 2 + entries * 12; at += 12) {
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** A TIFF block with the orientation of a picture and nothing else. */
export function orientationOnly(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION, 10);
  tiff.writeUInt16LE(SHORT, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
