import { readFile } from 'node:fs/promises';
import path from 'node:path';

const POLICY = /<meta http-equiv="content-security-policy" content="([^"]*)">/;

/** The page that checks verification files, with its headers; undefined while the web app is not built. */
export async function readVerifyPage(
  webRoot: string,
): Promise<{ html: string; headers: Readonly<Record<string, string>> } | undefined> {
  const html = await readFile(path.join(webRoot, 'verify.html'), 'utf8').catch(() => undefined);
  const policy = html === undefined ? undefined : POLICY.exec(html)?.[1];
  if (html === undefined || policy === undefined) return undefined;
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // What the document says by itself, and what only a header can.
      'content-security-policy': `${policy}; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
  };
}
