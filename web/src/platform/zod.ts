// zod reads its settings from here. It otherwise tries whether it may compile its parsers by `new Function`, which the
// page's Content-Security-Policy forbids and reports.
const known: unknown = Reflect.get(globalThis, '__zod_globalConfig');
Object.assign(globalThis, {
  __zod_globalConfig: Object.assign(known instanceof Object ? known : {}, { jitless: true }),
});
