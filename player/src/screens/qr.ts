// The package's main module also imports its canvas and SVG writers.
import { create } from 'qrcode/lib/core/qrcode.js';

const SVG = 'http://www.w3.org/2000/svg';

/** A QR code (ISO/IEC 18004, level M) as one SVG path, with `quiet` modules around it; the white is the page's. */
export function qrSvg(text: string, quiet = 0): SVGSVGElement {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const cells: string[] = [];
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) if (modules.get(y, x)) cells.push(`M${x} ${y}h1v1h-1z`);
  }
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `${-quiet} ${-quiet} ${modules.size + 2 * quiet} ${modules.size + 2 * quiet}`);
  svg.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', cells.join(''));
  path.setAttribute('fill', '#0b1020');
  svg.append(path);
  return svg;
}
