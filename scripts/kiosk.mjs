/** `npm run kiosk`: a local Chromium shows the player of a running server, as a device does. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { serveBrowser } from './host/host.mjs';
import { displayFlags, linuxActions, thisComputer } from './host/linux.mjs';
import { isStopped, root, run, script, Stop } from './process.mjs';
import { unlockProfile } from './profile.mjs';

const USAGE = `npm run kiosk -- [options]
  --server <address>    address of the server (http://localhost:3000, or the port in PORT)
  --window              open a window instead of the full screen
  --secondary           open a second window of the same device for its second screen
  --no-host             leave power, volume and brightness of this computer alone
  --profile <folder>    browser profile; each profile is a separate device (kiosk in AMS_DATA, or in ./data)
  --print               print the command, for a shell, without running it
`;

const BROWSERS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** docs/kiosk.md explains these flags. */
const FLAGS = [
  '--autoplay-policy=no-user-gesture-required',
  '--noerrdialogs',
  '--disable-session-crashed-bubble',
  '--disable-features=Translate',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
];

function readFlags() {
  try {
    return parseArgs({
      options: {
        'server': { type: 'string', default: `http://localhost:${process.env.PORT || 3000}` },
        'window': { type: 'boolean', default: false },
        'secondary': { type: 'boolean', default: false },
        'profile': { type: 'string', default: path.join(process.env.AMS_DATA || 'data', 'kiosk') },
        'no-host': { type: 'boolean', default: false },
        'print': { type: 'boolean', default: false },
        'help': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new Stop(`${error instanceof Error ? error.message : String(error)}\n${USAGE.trimEnd()}`);
  }
}

/** @param {string} program a name on the PATH or the path of a file */
function isProgram(program) {
  const folders = program.includes(path.sep) ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function findBrowser() {
  const wanted = process.env.CHROMIUM;
  const found = (wanted ? [wanted] : BROWSERS).find(isProgram);
  if (found) return found;
  throw new Stop(
    wanted
      ? `CHROMIUM=${wanted} cannot be started`
      : 'No Chromium or Google Chrome found: install one (apt-get install chromium) or set CHROMIUM to its program',
  );
}

/** @param {string} server */
function playerOf(server) {
  if (!/^https?:\/\/[^/]+\/?$/.test(server)) {
    throw new Stop(`--server must be an address like http://localhost:3000, not "${server}"`);
  }
  return new URL('/player/', server).href;
}

/** @param {string} address */
async function checkPlayer(address) {
  const reply = await fetch(address).catch(() => undefined);
  if (!reply?.ok) throw new Stop(`No player at ${address}: start the server with npm start or npm run demo`);
}

/** An argument as a shell takes it. @param {string} text */
const quote = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const RESTART_MS = 3000;

/**
 * Runs the browser as the host of the player, and again when it crashes, is restarted or hangs; until a person closes it.
 * @param {string} browser
 * @param {string[]} args without an address
 * @param {{ address: string, profile: string }} page
 */
async function runHosted(browser, args, { address, profile }) {
  const computer = thisComputer({ isProgram });
  const actions = await linuxActions(computer);
  const flags = [...args, ...(await displayFlags(computer)), '--remote-debugging-pipe', 'about:blank'];
  const able = Object.entries(actions).flatMap(([name, action]) => (action ? [name] : []));
  console.log(`AMSHost: ${able.join(', ') || 'no program for power, volume, brightness or screenshots found'}`);
  const note = (/** @type {string} */ text) => console.log(text);
  for (;;) {
    // The browser that runs opens the address, and its host serves that page, too.
    if (await unlockProfile(profile)) return (await run(browser, [...args, '--new-window', address])).code;
    const { code } = await run(browser, flags, {
      stdio: ['inherit', 'inherit', 'inherit', 'pipe', 'pipe'],
      onStart: (child) => serveBrowser(child, { address, actions, note }),
    });
    // 127: it could not be started.
    if (code === 0 || code === 127 || isStopped()) return code;
    note(`the browser ended (${code}): it is started again`);
    await wait(RESTART_MS);
  }
}

await script(async () => {
  const flags = readFlags();
  if (flags.help) {
    console.log(USAGE.trimEnd());
    return 0;
  }
  const browser = findBrowser();
  const player = playerOf(flags.server);
  const address = player + (flags.secondary ? '?screen=secondary' : '');
  const profile = path.resolve(root, flags.profile);
  const common = [
    `--user-data-dir=${profile}`,
    ...FLAGS,
    // Chromium does not start as root with its sandbox.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  const args = [...common, ...(flags.window ? [`--app=${address}`, '--window-size=540,960'] : ['--kiosk', address])];
  if (flags.print) {
    console.log([browser, ...args].map(quote).join(' '));
    return 0;
  }
  await checkPlayer(player);
  mkdirSync(profile, { recursive: true });
  console.log(`${address} in ${browser}; press Ctrl-C or Alt-F4 to close it`);
  // A window on a desk leaves the desk's screen alone.
  if (process.platform === 'linux' && !flags.window && !flags['no-host']) {
    return runHosted(browser, [...common, '--kiosk'], { address, profile });
  }
  await unlockProfile(profile);
  const { code } = await run(browser, args);
  return code;
});
