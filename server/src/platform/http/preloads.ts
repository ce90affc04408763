import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const linkOf = (file: string): string =>
  file.endsWith('.css') ? `<${file}>;rel=preload;as=style;crossorigin` : `<${file}>;rel=modulepreload`;

/**
 * The `link` header (RFC 8288) of documents in this folder: files that a browser then loads beside the script that would ask
 * for them (web/preloads.ts). Empty where a build names none, as the player's.
 */
export function readPreloads(root: string): string {
  const file = path.join(root, 'preloads.json');
  if (!existsSync(file)) return '';
  const files = z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
  return files.map(linkOf).join(',');
}
