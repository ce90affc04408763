import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startTestServer } from '../../../test/server.ts';
import { docsPage } from './docs-page.ts';

const server = await startTestServer();
const get = async (path: string): Promise<string> => (await fetch(`${server.url}/api/${path}`)).text();
const html = await get('docs');
const source: unknown = JSON.parse(await get('openapi.json'));

const Named = z.object({ name: z.string(), description: z.string().optional() });
const Ref = z.object({ $ref: z.string() });
const Parameters = z.array(z.union([Ref, Named])).default([]);
const Header = z.object({ description: z.string() });
const Operation = z.object({
  operationId: z.string(),
  parameters: Parameters,
  responses: z.record(z.string(), z.object({ headers: z.record(z.string(), z.union([Ref, Header])).default({}) })),
});
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.object({ parameters: Parameters }).catchall(Operation)),
    components: z.object({ parameters: z.record(z.string(), Named) }),
  })
  .parse(source);

/** The part of the page about one call, as text. */
function textOf(id: string): string {
  const [, after = ''] = html.split(`id="${id}"`);
  const [part = ''] = after.split('</details>');
  return part
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
/** Code is marked on the page. */
const words = (text: string): string => text.replaceAll('`', ' ').replace(/\s+/g, ' ').trim();
const nameOf = ({ $ref }: z.output<typeof Ref>): string => $ref.replace(/.*\//, '');

test('the page says of each call which parameters and headers it has, and what they mean', () => {
  const missing: string[] = [];
  for (const { parameters: shared, ...calls } of Object.values(paths))
    for (const { operationId, parameters, responses } of Object.values(calls)) {
      const text = words(textOf(operationId));
      const has = (part: string | undefined): void => {
        if (part !== undefined && !text.includes(words(part))) missing.push(`${operationId}: ${part}`);
      };
      for (const each of [...shared, ...parameters]) {
        const parameter = '$ref' in each ? components.parameters[nameOf(each)] : each;
        has(parameter?.name);
        has(parameter?.description);
      }
      for (const { headers } of Object.values(responses))
        for (const [name, each] of Object.entries(headers)) {
          has(name);
          // Those of many calls are explained at the beginning.
          if ('description' in each) has(each.description);
        }
    }
  expect(missing).toEqual([]);
});

test('code in texts is marked as code', () => {
  expect(html.replace(/<pre>.*?<\/pre>|<td><code>.*?<\/code>/gs, '')).not.toContain('`');
});

test('each link of the page leads to one place of it, which is in the box that opens for it', () => {
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => /\s/.test(id))).toEqual([]);
  expect([...html.matchAll(/href="#([^"]*)"/g)].filter(([, id = '']) => !ids.includes(id))).toEqual([]);
  expect(html).not.toContain('<details id=');
});

test('the page is made once and not for each reader', async () => {
  const stringify = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  docsPage(source);
  const schemas = stringify.mock.calls.length;
  stringify.mockClear();
  expect(await get('docs')).toBe(html);
  expect(stringify.mock.calls.length).toBeLessThan(schemas / 2);
});
