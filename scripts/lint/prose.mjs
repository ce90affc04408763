/** Part of `npm run lint`: refuses known slips of vocabulary and English in sources, comments and documents. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TEXT = /\.(ts|tsx|mjs|css|html|md|json|conf|yaml|service)$|Dockerfile$/;
/** History, generated text, translations, and the lists of refused words. */
const SKIPPED =
  /^(CHANGELOG\.md|package-lock\.json|scripts\/(lint\/prose\.mjs|locales\.test\.ts)|server\/migrations\/.*|(web\/src\/locales|player\/src\/locales|contract\/src\/messages)\/(?!en\b).*)$/;
/** The synchronization of the player is a state machine. */
const STATE_MACHINE = /^player\/src\/sync\//;

/** @typedef {{ line: number, text: string }} Prose */

/**
 * Comments of a source file or paragraphs of a document, each joined to one line.
 * @param {string} file @param {string} content
 * @returns {Prose[]}
 */
function proseOf(file, content) {
  const blocks = file.endsWith('.md')
    ? content.replaceAll(/^```[^]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, '')).matchAll(/(?:^.*\S.*\n?)+/gm)
    : content.matchAll(/\/\*[^]*?\*\/|(?:^|(?<=\s))\/\/ .*(?:\n\s*\/\/ .*)*/g);
  return [...blocks].map(({ 0: text, index }) => ({
    line: content.slice(0, index).split('\n').length,
    text: text.replaceAll(/\s*\n\s*(\*|\/\/|--)?\s*/g, ' ').replace(/^\/\*+|^\/\//, ''),
  }));
}

/** A sentence such as "Who comes later asks …" has no subject; a question may begin like this. */
const HEADLESS = /(?:^|[.!?] )\s*(?:[-|] )?((?:Who|Whoever|So many) [a-z][^.!?]*(?:[.!?]|$))/g;

/** @param {string} file @returns {string[]} */
function slipsOf(file) {
  const content = readFileSync(path.join(ROOT, file), 'utf8');
  const machines = STATE_MACHINE.test(file)
    ? []
    : content.split('\n').flatMap((text, index) => {
        const isSlip = /\bmachines?\b/i.test(text.replaceAll(/\bstate[ -]machines?\b/gi, ''));
        return isSlip ? [`${file}:${index + 1}: write "device" or "computer" instead of "machine"`] : [];
      });
  const headless = proseOf(file, content).flatMap(({ line, text }) =>
    [...text.matchAll(HEADLESS)]
      .filter(([, sentence = '']) => !sentence.endsWith('?'))
      .map(([, sentence = '']) => `${file}:${line}: name the subject: "${sentence.slice(0, 60)}"`),
  );
  return [...machines, ...headless];
}

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
const files = listed
  .toString()
  .split('\n')
  .filter((file) => TEXT.test(file) && !SKIPPED.test(file));
const slips = files.filter((file) => existsSync(path.join(ROOT, file))).flatMap(slipsOf);
for (const slip of slips) console.error(slip);
process.exit(slips.length === 0 ? 0 : 1);
