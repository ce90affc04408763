/**
 * `npm run test:clocks [-- folder …]`: all tests but the browser's, or those of the folders, at awkward instants in far
 * zones. Every process of a run, PostgreSQL too, has the same clock, which runs on from that instant (libfaketime).
 * `npm run test:clocks -- --stories [file …]`: the browser stories, browsers included.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLOCK_PACKAGES, prepareSystem } from './system.mjs';
import { insideEnvironment, run, script, Stop } from './process.mjs';
import { buildPages, installPackages } from './setup.mjs';

const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;

/** Instants of local times. Each zone has a different offset on that day. */
const MOMENTS = [
  { name: 'just after midnight in UTC', zone: 'UTC', at: '2027-06-15T00:05:00Z' },
  { name: 'early in the morning in UTC', zone: 'UTC', at: '2027-06-15T02:00:00Z' },
  { name: 'later in the morning in UTC', zone: 'UTC', at: '2027-06-15T07:00:00Z' },
  { name: 'two minutes to midnight in UTC', zone: 'UTC', at: '2027-06-15T23:58:00Z' },
  { name: 'a Sunday evening, the last of a month', zone: 'UTC', at: '2027-01-31T23:30:00Z' },
  { name: '29 February, a day ahead', zone: 'Pacific/Kiritimati', at: '2028-02-29T00:05:00+14:00' },
  { name: '31 December, two minutes to midnight', zone: 'America/St_Johns', at: '2027-12-31T23:58:00-03:30' },
  { name: 'two minutes before the clock goes forward', zone: 'America/St_Johns', at: '2028-03-12T01:58:00-03:30' },
  { name: 'two minutes before the clock goes back', zone: 'America/St_Johns', at: '2028-11-05T01:58:00-02:30' },
];

/** @typedef {{ waits: string, chromium: string, shell: string }} Parts */

/** Compiles `clocks/<name>.c`. @param {string} folder @param {string} name */
async function compile(folder, name) {
  const library = path.join(folder, `${name}.so`);
  const source = path.join(import.meta.dirname, 'clocks', `${name}.c`);
  const { code, output } = await run('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source], { quiet: true });
  if (code !== 0) throw new Stop(`${name}.c cannot be compiled:\n${output}`);
  return library;
}

/**
 * A program that starts a browser with the clock of `offset.c`.
 *
 * @param {string} folder @param {string} name @param {string} browser @param {string} offset
 */
function browserOf(folder, name, browser, offset) {
  const program = path.join(folder, name);
  const lines = ['#!/bin/sh', 'unset FAKETIME', `LD_PRELOAD='${offset}' exec '${browser}' "$@"`];
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  return program;
}

/** @param {string} folder @returns {Promise<Parts>} */
async function prepareParts(folder) {
  const offset = await compile(folder, 'offset');
  const { CHROMIUM = '/usr/bin/chromium', CHROMIUM_SHELL = '/usr/bin/chromium-headless-shell' } = process.env;
  return {
    waits: await compile(folder, 'waits'),
    chromium: browserOf(folder, 'chromium', CHROMIUM, offset),
    shell: browserOf(folder, 'chromium-headless-shell', CHROMIUM_SHELL, offset),
  };
}

/** @param {typeof MOMENTS[number]} moment @param {Parts} parts @param {string[]} args */
async function testAt({ name, zone, at }, parts, args) {
  console.log(`\n── ${name}: ${at}, ${zone}`);
  const aheadSeconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  const env = {
    ...insideEnvironment(),
    TZ: zone,
    LD_PRELOAD: `${parts.waits} ${LIBRARY}`,
    FAKETIME: `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}s`,
    // Time-outs and measurements have nothing to do with the date.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    CLOCK_OFFSET: String(aheadSeconds),
    CHROMIUM: parts.chromium,
    CHROMIUM_SHELL: parts.shell,
  };
  const [first, ...files] = args;
  const { code } =
    first === '--stories'
      ? await run('playwright', ['test', '--project=stories', ...files], { env })
      : await run('vitest', ['run', ...args], { env });
  return code === 0;
}

await script(async () => {
  await installPackages();
  await prepareSystem(CLOCK_PACKAGES);
  if (!existsSync(LIBRARY)) throw new Stop(`libfaketime is required to set the clock, but ${LIBRARY} does not exist`);
  await buildPages();
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-clocks-'));
  // PostgreSQL runs as another user, which loads the library too.
  chmodSync(folder, 0o755);
  const failed = [];
  try {
    const parts = await prepareParts(folder);
    for (const moment of MOMENTS) {
      if (!(await testAt(moment, parts, process.argv.slice(2)))) failed.push(moment.name);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(failed.length === 0 ? '\nAll moments passed' : `\nFailed: ${failed.join('; ')}`);
  return failed.length === 0 ? 0 : 1;
});
