import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** By the path of a page, such as `/mac/:id`, the files that it needs beyond those that the document names (web/preloads.ts). */
const Preloads = z.record(z.string(), z.array(z.string()));

/** A page's path as a pattern: `:id` is any text, and what ends in `?` may be missing. */
const patternOf = (page: string): RegExp =>
  new RegExp(
    `^${page.replace(/\/(:\w+|[^/]*)(\?)?/g, (_, segment: string, optional?: string) => {
      const text = segment.startsWith(':') ? '[^/]+' : segment;
      return optional ? `(?:/${text})?` : `/${text}`;
    })}$`,
  );

const linkOf = (file: string): string =>
  file.endsWith('.css') ? `<${file}>;rel=preload;as=style;crossorigin` : `<${file}>;rel=modulepreload`;

/**
 * The `link` header of a document by the path that it is opened at (RFC 8288), empty where there is none: the browser then
 * loads a page's files beside the script that would ask for them.
 */
export function readPreloads(root: string): (pathname: string) => string {
  let text = '{}';
  try {
    text = readFileSync(path.join(root, 'preloads.json'), 'utf8');
  } catch {
    // The player and a build for development have none.
  }
  const pages = Object.entries(Preloads.parse(JSON.parse(text))).map(([page, files]) => ({
    pattern: patternOf(page),
    link: files.map(linkOf).join(','),
  }));
  return (pathname) => pages.find(({ pattern }) => pattern.test(pathname))?.link ?? '';
}
