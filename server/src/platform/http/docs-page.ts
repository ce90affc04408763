import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The part of an OpenAPI document that the page shows. */
const Schema = z.looseObject({});
type Schema = z.output<typeof Schema>;
const Content = z.record(z.string(), z.object({ schema: Schema.optional() }));
const Operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  tags: z.array(z.string()).default([]),
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: Schema.optional() }))
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })).default({}),
});
type Operation = z.output<typeof Operation>;
const Document = z.object({
  info: z.object({ title: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

const STYLE = `
:root { color-scheme: light dark; --edge: #8884; --soft: #8881; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 1rem 0 2rem; }
h2 { margin: 2.5rem 0 .5rem; text-transform: capitalize; }
details { border: 1px solid var(--edge); border-radius: .5rem; margin: .4rem 0; }
summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .6rem .8rem; cursor: pointer; }
summary:focus-visible { outline: 2px solid; border-radius: .5rem; }
summary b { min-width: 4rem; }
summary span { opacity: .8; }
details > div { padding: 0 .8rem .8rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: .4rem; padding: .7rem; overflow: auto; max-height: 28rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid var(--edge); padding: .3rem .5rem .3rem 0; text-align: start; vertical-align: top; }
h3 { font-size: 1em; margin: 1rem 0 .3rem; }
`;

/** Only this page's own style, and nothing else at all: it has no script. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Patterns of dates and ids say less than their format. */
const plain = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => !(key === 'pattern' && 'format' in schema));
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
};

const block = (title: string, schema: Schema | undefined): string =>
  schema ? `<h3>${escape(title)}</h3><pre>${escape(JSON.stringify(plain(schema), null, 2))}</pre>` : '';

function parametersOf({ parameters }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${escape(place)}${required ? ', required' : ''}</td>` +
      `<td><code>${escape(JSON.stringify(plain(schema ?? {})))}</code></td></tr>`,
  );
  return `<h3>Parameters</h3><table><tbody>${rows.join('')}</tbody></table>`;
}

function operationOf(url: string, method: string, operation: Operation): string {
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const answers = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.values(content ?? {}).map(({ schema }) => block(`Answer ${status}`, schema)),
  );
  const access = operation.security ? 'needs a token' : 'open';
  return (
    `<details id="${escape(operation.operationId ?? `${method}${url}`)}"><summary><b>${escape(method.toUpperCase())}</b>` +
    `<code>${escape(url)}</code><span>${escape(operation.summary ?? '')}</span></summary><div><p>${access}</p>` +
    parametersOf(operation) +
    bodies.map(([type, { schema }]) => block(`Body, ${type}`, schema)).join('') +
    `${answers.join('')}</div></details>`
  );
}

/** The OpenAPI document as a page to read: calls by feature, each with its parameters, body and answer. */
export function docsPage(document: unknown): string {
  const { info, paths } = Document.parse(document);
  const calls = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0] ?? 'other',
      html: operationOf(url, method, operation),
    })),
  );
  const tags = Object.entries(Object.groupBy(calls, ({ tag }) => tag));
  const links = tags.map(([tag]) => `<a href="#${escape(tag)}">${escape(tag)}</a>`);
  const sections = tags.map(
    ([tag, own = []]) => `<h2 id="${escape(tag)}">${escape(tag)}</h2>${own.map(({ html }) => html).join('')}`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(info.title)}: calls</title>` +
    `<style>${STYLE}</style></head><body><h1>${escape(info.title)}</h1>` +
    `<p>All calls, from the same objects that answer them. For programs: <a href="/api/openapi.json">openapi.json</a>.` +
    ` A token of <code>POST /api/login</code> goes into the header <code>Authorization: Bearer …</code>.</p>` +
    `<nav>${links.join('')}</nav><main>${sections.join('')}</main></body></html>`
  );
}
