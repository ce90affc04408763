// The package's main module also imports its canvas and SVG writers.
import { create } from 'qrcode/lib/core/qrcode.js';

/** ISO/IEC 18004 asks for four modules of white around a code. */
export const QUIET_MODULES = 4;

/** The dark modules of a QR code (ISO/IEC 18004, level M) as an SVG path, one unit each, and the modules on an edge. */
export function qrPath(text: string): { d: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const cells: string[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (modules.get(y, x)) cells.push(`M${x} ${y}h1v1h-1z`);
  }
  return { d: cells.join(''), size };
}
