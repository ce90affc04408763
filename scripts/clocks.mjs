/**
 * `npm run test:clocks [folder …]`: the tests of these folders at awkward instants, in far zones. Every process of a
 * run, PostgreSQL too, has the same clock, which goes on from there (libfaketime).
 */
import { existsSync } from 'node:fs';
import { prepareSystem } from './system.mjs';
import { insideEnvironment, run, script, Stop } from './process.mjs';
import { installPackages } from './setup.mjs';

const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;

/** Tests that depend on hour, date and zone, without measurements or long runs. */
const FOLDERS = [
  ...['contract', 'player/src', 'web/src'],
  ...['home', 'devices', 'releases', 'reports', 'alerts', 'player', 'users', 'session'].map(
    (name) => `server/src/${name}`,
  ),
];

/** Instants of local times. Each zone has a different offset on that day. */
const MOMENTS = [
  { name: 'just after midnight in UTC', zone: 'UTC', at: '2027-06-15T00:05:00Z' },
  { name: '29 February, a day ahead', zone: 'Pacific/Kiritimati', at: '2028-02-29T00:05:00+14:00' },
  { name: '31 December, two minutes to midnight', zone: 'America/St_Johns', at: '2027-12-31T23:58:00-03:30' },
  { name: 'two minutes before the clock goes forward', zone: 'America/St_Johns', at: '2028-03-12T01:58:00-03:30' },
  { name: 'two minutes before the clock goes back', zone: 'America/St_Johns', at: '2028-11-05T01:58:00-02:30' },
];

/** @param {typeof MOMENTS[number]} moment @param {string[]} folders */
async function testAt({ name, zone, at }, folders) {
  console.log(`\n── ${name}: ${at}, ${zone}`);
  const aheadSeconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  const env = {
    ...insideEnvironment(),
    TZ: zone,
    LD_PRELOAD: LIBRARY,
    FAKETIME: `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}s`,
    // Time-outs and measurements have nothing to do with the date.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const { code } = await run('vitest', ['run', ...folders], { env });
  return code === 0;
}

await script(async () => {
  const named = process.argv.slice(2);
  await installPackages();
  await prepareSystem();
  if (!existsSync(LIBRARY)) throw new Stop(`libfaketime is required to set the clock, but ${LIBRARY} does not exist`);
  const failed = [];
  for (const moment of MOMENTS) {
    if (!(await testAt(moment, named.length > 0 ? named : FOLDERS))) failed.push(moment.name);
  }
  console.log(failed.length === 0 ? '\nAll moments passed' : `\nFailed: ${failed.join('; ')}`);
  return failed.length === 0 ? 0 : 1;
});
