import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDERS = /^(bench|contract|demo|docs|e2e|fleet|player|scripts|server|web)\//;
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n');
const documents = tracked.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
const SCRIPTS = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
/** Programs that take the name of one of their files. */
const NAMED: Record<string, string> = { bench: 'bench', faults: 'e2e/faults' };

/** Everything that `find` finds in a document and that is not so. */
const wrongIn = (find: (text: string, file: string) => readonly string[]): string[] =>
  documents.flatMap((file) => find(read(file), file).map((wrong) => `${file}: ${wrong}`));

test('the files that documents name are there', () => {
  expect(documents.length).toBeGreaterThan(10);
  const wrong = wrongIn((text) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => FOLDERS.test(name) && !/[<>*{}…]/.test(name) && !existsSync(path.join(ROOT, name))),
  );
  expect(wrong).toEqual([]);
});

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

test('the links of documents lead to files and headings', () => {
  const wrong = wrongIn((text, file) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => {
        if (/^https?:/.test(link)) return false;
        const [name = '', anchor] = link.split('#');
        const target = name === '' ? file : path.join(path.dirname(file), name);
        if (!existsSync(path.join(ROOT, target))) return true;
        if (anchor === undefined) return false;
        const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
        return !headings.includes(anchor);
      }),
  );
  expect(wrong).toEqual([]);
});

test('the commands that documents name are there', () => {
  const wrong = wrongIn((text) =>
    [...text.matchAll(/npm run (?:-s )?([\w:]+)(?: -- (\w+))?/g)].flatMap(([command, script = '', argument]) => {
      const folder = NAMED[script];
      const isThere = folder === undefined || argument === undefined || tracked.includes(`${folder}/${argument}.ts`);
      return SCRIPTS.includes(script) && isThere ? [] : [command];
    }),
  );
  expect(wrong).toEqual([]);
});

test('the tests that documents name are there', () => {
  const names = documents.flatMap((file) => [...read(file).matchAll(/vitest run \S+ -t '([^']+)'/g)]);
  expect(names.length).toBeGreaterThan(0);
  const sources = tracked.filter((file) => /^server\/.*\.test\.ts$/.test(file)).map(read);
  expect(names.map(([, name = '']) => name).filter((name) => !sources.some((text) => text.includes(name)))).toEqual([]);
});
