import { createHash } from 'node:crypto';
import { z } from 'zod';
import { escapeHtml } from './html.ts';
import { INTRODUCTION } from './openapi/introduction.ts';

/** The part of an OpenAPI document that the page shows. */
const Json = z.looseObject({});
type Json = z.output<typeof Json>;
const Content = z.record(z.string(), z.object({ schema: Json.optional() }));
const Ref = z.object({ $ref: z.string() });
const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Json,
});
type Parameter = z.output<typeof Parameter>;
/** One that many calls have is named only. */
const Header = z.object({ description: z.string().optional() });
const Response = z.object({
  description: z.string(),
  headers: z.record(z.string(), Header).default({}),
  content: Content.optional(),
});
const Parameters = z.array(z.union([Ref, Parameter])).default([]);
type Parameters = z.output<typeof Parameters>;
const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  parameters: Parameters,
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.union([Ref, Response])),
});
type Operation = z.output<typeof Operation>;
const Document = z.object({
  info: z.object({ title: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.object({ parameters: Parameters }).catchall(Operation)),
  components: z.object({ schemas: z.record(z.string(), Json), parameters: z.record(z.string(), Parameter) }),
});

/** A text with code between backticks. */
const line = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const prose = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${line(paragraph)}</p>`)
    .join('');

const STYLE = `
:root { color-scheme: light dark; --edge: #8884; --soft: #8881; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 1rem 0 2rem; }
h2 { margin: 2.5rem 0 .5rem; }
details { border: 1px solid var(--edge); border-radius: .5rem; margin: .4rem 0; }
summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .6rem .8rem; cursor: pointer; }
summary:focus-visible { outline: 2px solid; border-radius: .5rem; }
summary b { min-width: 4rem; }
summary span { opacity: .8; }
details > div { padding: 0 .8rem .8rem; scroll-margin-top: 4rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: .4rem; padding: .7rem; overflow: auto; max-height: 28rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid var(--edge); padding: .3rem .5rem .3rem 0; text-align: start; vertical-align: top; }
td:first-child code { overflow-wrap: normal; }
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

const nameIn = (reference: string): string => reference.replace(/.*\//, '');

const REFERENCE = /&quot;\$ref&quot;: &quot;#\/components\/schemas\/(\w+)&quot;/g;

/** A schema as text, with links to those that it mentions. */
const json = (schema: Json): string =>
  escapeHtml(JSON.stringify(schema, null, 2)).replace(REFERENCE, '<a href="#schema-$1">$1</a>');

const block = (title: string, schema: Json | undefined): string =>
  schema ? `<h3>${escapeHtml(title)}</h3><pre>${json(schema)}</pre>` : '';

const contentOf = (title: string, content: z.output<typeof Content> = {}): string =>
  Object.entries(content)
    .map(([type, { schema }]) => block(`${title}, ${type}`, schema))
    .join('');

const table = (title: string, rows: readonly string[][]): string => {
  if (rows.length === 0) return '';
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<h3>${title}</h3><table><tbody>${lines.join('')}</tbody></table>`;
};

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): string[] => [
  `<code>${escapeHtml(name)}</code>`,
  `${escapeHtml(place)}${required ? ', required' : ''}`,
  `${description === undefined ? '' : `${line(description)}<br>`}<code>${json(schema)}</code>`,
];

function responsesOf({ responses }: Operation): string {
  const errors: string[][] = [];
  const answers = Object.entries(responses).map(([status, response]) => {
    if ('$ref' in response) {
      errors.push([status, `<code>${escapeHtml(nameIn(response.$ref)).replaceAll('.', '</code> <code>')}</code>`]);
      return '';
    }
    const { description, headers, content } = response;
    const rows = Object.entries(headers).map(([name, header]) => [
      `<code>${escapeHtml(name)}</code>`,
      line(header.description ?? ''),
    ]);
    return `<h3>${status}</h3>${prose(description)}${table('Headers', rows)}${contentOf('Answer', content)}`;
  });
  return answers.join('') + table('Errors', errors);
}

/** A box whose content a link to `id` shows: browsers open it for what is inside. */
const box = (id: string, summary: string, html: string): string =>
  `<details><summary>${summary}</summary><div id="${escapeHtml(id)}">${html}</div></details>`;

const operationOf = (url: string, method: string, operation: Operation, parameters: readonly Parameter[]): string =>
  box(
    operation.operationId,
    `<b>${escapeHtml(method.toUpperCase())}</b><code>${escapeHtml(url)}</code><span>${line(operation.summary)}</span>`,
    (operation.description === undefined ? '' : prose(operation.description)) +
      table('Parameters', parameters.map(parameterRow)) +
      contentOf('Body', operation.requestBody?.content) +
      responsesOf(operation),
  );

const section = (id: string, title: string, html: string): string =>
  `<section><h2 id="${escapeHtml(id)}">${escapeHtml(title)}</h2>${html}</section>`;

/** The OpenAPI document as a page to read: an introduction, the calls by feature, and the schemas. */
export function docsPage(document: unknown): string {
  const { info, tags, paths, components } = Document.parse(document);
  const named = (parameters: Parameters): Parameter[] =>
    parameters.flatMap((each) => ('$ref' in each ? (components.parameters[nameIn(each.$ref)] ?? []) : each));
  const calls = Object.entries(paths).flatMap(([url, { parameters: shared, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      html: operationOf(url, method, operation, named([...shared, ...operation.parameters])),
    })),
  );
  const idOf = (title: string): string => `about-${title.replaceAll(' ', '-')}`;
  const introduction = INTRODUCTION.map(({ title, text }) => section(idOf(title), title, text.map(prose).join('')));
  const features = tags.map(({ name, description }) =>
    section(name, name, prose(description) + calls.flatMap(({ tag, html }) => (tag === name ? [html] : [])).join('')),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    box(`schema-${name}`, `<b>${escapeHtml(name)}</b>`, `<pre>${json(schema)}</pre>`),
  );
  const links = [
    ...INTRODUCTION.map(({ title }) => `<a href="#${escapeHtml(idOf(title))}">${escapeHtml(title)}</a>`),
    ...tags.map(({ name }) => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`),
    '<a href="#schemas">schemas</a>',
  ];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(info.title)}: calls</title>` +
    `<style>${STYLE}</style></head><body><h1>${escapeHtml(info.title)}</h1>` +
    `<p>All calls below <code>/api</code>. For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>` +
    `<nav>${links.join('')}</nav><main>${introduction.join('')}${features.join('')}` +
    `${section('schemas', 'schemas', schemas.join(''))}</main></body></html>`
  );
}
