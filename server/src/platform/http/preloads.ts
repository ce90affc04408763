import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { acceptLanguage } from '@ams/contract';
import { z } from 'zod';

const Files = z.array(z.string());

/** Addresses of files (web/preloads.ts). */
const Preloads = z.object({
  /** The first picture and its style, which come before the scripts, and the files of the frame. */
  frame: Files,
  /** By path: the files of the page there, beyond those of the frame. */
  pages: z.record(z.string(), Files),
  /** By language: the texts of the frame and the home page, and those of all pages. */
  texts: z.record(z.string(), z.object({ frame: Files, all: Files })),
});

function linkTo(file: string): string {
  if (file.endsWith('.css')) return `<${file}>;rel=preload;as=style;crossorigin`;
  if (file.endsWith('.svg')) return `<${file}>;rel=preload;as=image;fetchpriority=high`;
  return `<${file}>;rel=modulepreload`;
}

/** After the script and the style that a page begins with. */
const laterLinkTo = (file: string): string => `${linkTo(file)};fetchpriority=low`;

/** The `link` header (RFC 8288) of the document at a path, for a browser with this `Accept-Language` header. */
type Links = (pathname: string, languages: string | undefined) => string;

/**
 * Reads which files a browser loads beside the script that would ask for them. None where a build names none, as the
 * player's.
 */
export function readPreloads(root: string): Links {
  const file = path.join(root, 'preloads.json');
  if (!existsSync(file)) return () => '';
  const { frame, pages, texts } = Preloads.parse(JSON.parse(readFileSync(file, 'utf8')));
  return (pathname, languages) => {
    const own = texts[acceptLanguage(languages)];
    const page = pages[pathname];
    const later = pathname === '/' ? own?.frame : page && own && [...own.all, ...page];
    return [...frame.map(linkTo), ...(later ?? []).map(laterLinkTo)].join(',');
  };
}
