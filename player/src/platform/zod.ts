declare global {
  // zod reads its settings from here when it loads.
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// zod otherwise compiles its parsers by `new Function`, which the page's Content-Security-Policy forbids.
export const zodSettings = (globalThis.__zod_globalConfig = { jitless: true });
