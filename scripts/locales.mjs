/**
 * `npm run locales -- export <folder>` and `import <folder>`: the texts of all languages as JSON for translators, in
 * the form of i18next v4 (flat keys, `_one` and `_other` for plurals, `{{name}}` for what is filled in).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportTexts, importTexts, readTexts } from './catalogues.mjs';
import { insideEnvironment, root, run, script, Stop } from './process.mjs';

/** @param {string} folder */
async function exportTo(folder) {
  const files = exportTexts(root);
  for (const [name, texts] of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(texts, null, 2)}\n`);
  }
  console.log(`${files.size} files written to ${folder}`);
  return 0;
}

/** @param {string} folder */
async function importFrom(folder) {
  const files = readTexts(folder);
  if (files.size === 0) throw new Stop(`No JSON files in ${folder}`);
  const { changed, unknown } = importTexts(root, files);
  if (unknown.length > 0) throw new Stop(`Nothing was imported. These texts do not exist:\n${unknown.join('\n')}`);
  for (const [file, source] of changed) writeFileSync(path.join(root, file), source);
  console.log(`${changed.size} files changed`);
  if (changed.size === 0) return 0;
  return (await run('oxfmt', [...changed.keys()], { env: insideEnvironment() })).code;
}

await script(async () => {
  const [command, folder] = process.argv.slice(2);
  if (folder && command === 'export') return exportTo(path.resolve(folder));
  if (folder && command === 'import') return importFrom(path.resolve(folder));
  throw new Stop('Usage: npm run locales -- export <folder> | import <folder>');
});
