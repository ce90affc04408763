/**
 * `npm run dev`: the server, started anew after every change of its sources, and the development servers of the web
 * app and the player, which pass calls on to it. When one of the three ends, or a signal comes, all of them end.
 */
import { spawn } from 'node:child_process';
import { checkNode, insideEnvironment, productNode, root } from './process.mjs';
import { installPackages } from './setup.mjs';

const WEB_PORT = 5173;
const PLAYER_PORT = 5174;

checkNode();
await installPackages();

const origin = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const env = insideEnvironment();
/** @type {[name: string, folder: string, args: string[]][]} */
const PROGRAMS = [
  ['server', '.', ['--watch', '--watch-preserve-output', 'server/src/main.ts']],
  ['web', 'web', [`${root}/node_modules/vite/bin/vite.js`, '--port', String(WEB_PORT), '--strictPort']],
  ['player', 'player', [`${root}/node_modules/vite/bin/vite.js`, '--port', String(PLAYER_PORT), '--strictPort']],
];

const children = PROGRAMS.map(([name, folder, args]) => {
  const child = spawn(productNode(), args, {
    cwd: `${root}/${folder}`,
    // For the development servers: the server would warn of a setting that it does not know.
    env: name === 'server' ? env : { AMS_SERVER: origin, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Ctrl-C reaches each program once, through us.
    detached: true,
  });
  child.on('exit', (code) => end(`${name} ended`, code ?? 0));
  return child;
});

let ending = false;

/** @param {string} why @param {number} code */
function end(why, code) {
  if (ending) return;
  ending = true;
  if (code !== 0) console.error(why);
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => end(signal, 0));

console.log(`\n  Web app:  http://localhost:${WEB_PORT}/`);
console.log(`  Player:   http://localhost:${PLAYER_PORT}/player/`);
console.log(`  Server:   ${origin}/\n`);
