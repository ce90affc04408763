import { qrPath } from './qr-path.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** A QR code as one SVG path, with `quiet` modules around it; the white is the page's. */
export function qrSvg(text: string, quiet = 0): SVGSVGElement {
  const { d, size } = qrPath(text);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}`);
  svg.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', d);
  path.setAttribute('fill', '#0b1020');
  svg.append(path);
  return svg;
}
