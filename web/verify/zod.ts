// zod reads its settings from here when it loads. It otherwise compiles its parsers by `new Function`, which the page's
// Content-Security-Policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
