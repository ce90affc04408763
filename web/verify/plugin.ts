import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { slim } from '../slim.ts';

const FOLDER = import.meta.dirname;
/** Functions that only make schemas: those that the page does not use are left out. */
const PURE = ['z', 'routeTable', 'raw', 'pageOf', 'sortOf', 'givenName'];

/** A script with all it imports, as one text. */
async function bundle(file: string, define: Record<string, string> = {}): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define,
    plugins: [slim()],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: path.join(FOLDER, file), formats: ['iife'], name: 'verify', fileName: 'verify' },
      rolldownOptions: { treeshake: { manualPureFunctions: PURE } },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error(`${file} was not built`);
  return result.output[0].code;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Everything in one document that loads nothing and sends nothing, wherever it is opened. */
async function documentOf(): Promise<string> {
  const worker = await bundle('worker.ts');
  const code = (await bundle('main.ts', { WORKER_SCRIPT: JSON.stringify(worker) })).replaceAll(
    '</script',
    '<\\/script',
  );
  const style = await readFile(path.join(FOLDER, 'verify.css'), 'utf8');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>Advertising Management System</title>
<style>${style}</style>
</head>
<body><script>${code}</script></body>
</html>
`;
}

/**
 * Builds `verify.html`, the page that checks verification files, which the server serves at `/share/verify`, and
 * `verify-sw.js`, which keeps it in the browser.
 */
export const verifyPage = (): Plugin => ({
  name: 'verify-page',
  apply: 'build',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'verify.html', source: await documentOf() });
    this.emitFile({ type: 'asset', fileName: 'verify-sw.js', source: await bundle('sw.ts') });
  },
});
